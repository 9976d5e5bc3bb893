"""
What mmtools needs from outside, as Protocols and the values that cross them.
"""

from mmtools.ports.display import Display
from mmtools.ports.files import Files
from mmtools.ports.language_servers import LanguageServers
from mmtools.ports.observer import Observer
from mmtools.ports.permission import Permission
from mmtools.ports.processes import Processes
from mmtools.ports.skills import SkillSource

__all__ = ["Display", "Files", "LanguageServers", "Observer", "Permission", "Processes", "SkillSource"]
