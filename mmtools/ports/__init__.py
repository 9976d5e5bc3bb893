"""
What mmtools needs from outside, as Protocols and the values that cross them.

The others are imported by themselves: what language servers, the web, searches and remote tools say, few hosts need.
"""

from mmtools.ports.display import Display
from mmtools.ports.files import Files
from mmtools.ports.observer import Observer
from mmtools.ports.permission import Permission
from mmtools.ports.processes import Processes
from mmtools.ports.skills import SkillSource

__all__ = ["Display", "Files", "Observer", "Permission", "Processes", "SkillSource"]
