"""The API of a Landfall: one method for each operation of its description, and what is made of several."""

import json
import time
from typing import Any, Callable, Iterator, Optional, Sequence, Union

from .connection import Refused, Unreachable, path_of, write_query
from .operations import Operations
from .resource import join
from .resources import CLASSES, Event, TrackingRequest

LONGEST_PAUSE_S = 30.0


class Landfall(Operations):
    """`Landfall("https://track.example.com", key)`. Nothing is sent before a method is called."""

    def track(
        self,
        number: str,
        *,
        scac: Optional[str] = None,
        type: Optional[str] = None,
        ref_numbers: Optional[Sequence[str]] = None,
        tags: Optional[Sequence[str]] = None,
        wait_s: float = 60,
    ) -> TrackingRequest:
        """Tracks a number, and waits until its line has answered or the time is over: `status` says which.

        The line is found out from the number, and by asking, when it is left out. A number that is tracked already
        gives the request that tracks it, as it is.
        """
        attributes = {
            "request_number": number,
            "request_type": type,
            "scac": scac,
            "auto_detect_vocc_scac": True if scac is None else None,
            "ref_numbers": None if ref_numbers is None else list(ref_numbers),
            "shipment_tags": None if tags is None else list(tags),
        }
        until = time.monotonic() + wait_s
        given = {name: value for name, value in attributes.items() if value is not None}
        try:
            request_id = self.create_tracking_request(given).id
        except Refused as refused:
            request_id = _tracking(refused)
        pause_s = 0.5
        while True:
            request = self.get_tracking_request(request_id, include=["tracked_object.containers"])
            if request.status != "pending" or time.monotonic() + pause_s > until:
                return request
            time.sleep(pause_s)
            pause_s = min(5.0, pause_s * 1.5)

    def follow(
        self,
        *,
        after: Union[int, str] = 0,
        load: Optional[Callable[[], Optional[int]]] = None,
        save: Optional[Callable[[int], None]] = None,
        events: Sequence[str] = (),
        shipment_id: Optional[str] = None,
        container_id: Optional[str] = None,
        include: Sequence[str] = (),
        wait_s: int = 60,
    ) -> Iterator[Event]:
        """Every event in order, without end, through restarts and failures of the service.

        Begins after the number that `load` gives, or after `after`; `"now"` begins with what comes next. `save` gets
        the number of an event after the body of the loop: after a crash in between, the same event comes again.
        """
        start = load() if load is not None else None
        place: Union[int, str] = after if start is None else start
        if place == "now":
            place = int(self._read_patiently("/v2/events" + write_query({"limit": 1}), wait_s)["meta"]["last_sequence"])
            if save is not None:
                save(place)
        filters = {"event": list(events), "shipment_id": shipment_id, "container_id": container_id}
        query = {"after": place, "wait": wait_s, "filter": filters, "include": list(include)}
        following = "/v2/events" + write_query(query)
        while True:
            document = self._read_patiently(following, wait_s)
            for event in join(document, CLASSES):
                yield event  # type: ignore[misc]
                if save is not None:
                    save(event.sequence)
            link = (document.get("links") or {}).get("next")
            following = path_of(link) if link else following

    def _read_patiently(self, path: str, wait_s: int) -> Any:
        """A follower has time: what passes (no connection, 429, 5xx) is waited for without end."""
        failures = 0
        while True:
            try:
                return json.loads(self.send("GET", path, timeout_s=wait_s + 30).body)
            except Refused as refused:
                if refused.status < 500 and refused.status != 429:
                    raise
            except Unreachable:
                pass
            time.sleep(min(LONGEST_PAUSE_S, 2.0**failures))
            failures += 1


def _tracking(refused: Refused) -> str:
    """The request that tracks the number already, if that is why the new one was refused."""
    for fault in refused.faults:
        if fault.get("code") == "duplicate" and (fault.get("meta") or {}).get("tracking_request_id"):
            return str(fault["meta"]["tracking_request_id"])
    raise refused
