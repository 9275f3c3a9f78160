"""Client of Landfall, the open tracking of ocean shipments.

>>> from landfall_sdk import Landfall
>>> landfall = Landfall("https://track.example.com", key)
>>> for container in landfall.list_containers(filter={"has_holds": True}):
...     print(container.number)
"""

from .client import Landfall
from .connection import Refused, Unreachable
from .pages import Pages
from .resource import NotIncluded, Resource
from .webhooks import Distrusted, read_notification

__all__ = [
    "Distrusted",
    "Landfall",
    "NotIncluded",
    "Pages",
    "Refused",
    "Resource",
    "Unreachable",
    "read_notification",
]
