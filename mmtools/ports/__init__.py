"""
What mmtools needs from outside, as Protocols and the values that cross them.

`language_servers` and `edit_checks` are imported by themselves: they bring what servers say along, which few hosts need.
"""

from mmtools.ports.display import Display
from mmtools.ports.files import Files
from mmtools.ports.observer import Observer
from mmtools.ports.permission import Permission
from mmtools.ports.processes import Processes
from mmtools.ports.skills import SkillSource

__all__ = ["Display", "Files", "Observer", "Permission", "Processes", "SkillSource"]
