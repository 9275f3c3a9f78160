"""Sends requests to one Landfall, and repeats those that failed for a moment."""

import json
import random
import time
import urllib.error
import urllib.request
from datetime import date, datetime, timezone
from email.utils import parsedate_to_datetime
from typing import Any, Callable, Dict, Iterator, List, Mapping, NamedTuple, Optional, Tuple, Union
from urllib.parse import quote, urlencode, urlsplit

JSON_API = "application/vnd.api+json"
# Statuses after which the same request may work: it came too early, or something on the way is down.
PASSING = {408, 425, 429, 500, 502, 503, 504}
FIRST_PAUSE_S = 0.5


class Refused(Exception):
    """The API refused, or failed after all retries. The text has its sentences."""

    def __init__(
        self,
        status: int,
        faults: List[Mapping[str, Any]],
        request_id: Optional[str],
        retry_after_s: Optional[float],
    ) -> None:
        super().__init__(" ".join(_sentence(fault) for fault in faults))
        self.status = status
        self.faults = faults
        # What the operator finds in the log.
        self.request_id = request_id
        self.retry_after_s = retry_after_s

    @property
    def codes(self) -> List[str]:
        """Stable; the list is in docs/errors.md."""
        return [fault["code"] for fault in self.faults if "code" in fault]


class Unreachable(Exception):
    """Nobody answered, after all retries."""


class Response(NamedTuple):
    status: int
    headers: Mapping[str, str]
    body: bytes


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """No key goes anywhere else."""

    def redirect_request(self, *_: Any) -> None:
        return None


class Connection:
    """`token`: called for each request in place of the key (OAuth)."""

    def __init__(
        self,
        url: str,
        key: Optional[str] = None,
        *,
        token: Optional[Callable[[], str]] = None,
        attempts_max: int = 5,
        timeout_s: float = 30,
        retry_after_max_s: float = 120,
    ) -> None:
        self._url = url.rstrip("/")
        self._key = key
        self._token = token
        self._attempts_max = attempts_max
        self._timeout_s = timeout_s
        self._retry_after_max_s = retry_after_max_s
        self._opener = urllib.request.build_opener(_NoRedirect())

    def send(
        self,
        method: str,
        path: str,
        *,
        headers: Optional[Mapping[str, str]] = None,
        body: Optional[bytes] = None,
        timeout_s: Optional[float] = None,
    ) -> Response:
        """Any request; the path begins with `/`. The response if it is good, or 304. A change with `If-Match` is sent once."""
        given = dict(headers or {})
        # When the answer to a change with If-Match is lost, nobody knows whether it was made.
        most = 1 if "If-Match" in given else self._attempts_max
        attempt = 0
        while True:
            attempt += 1
            try:
                response = self._attempt(method, path, given, body, timeout_s or self._timeout_s)
            except (urllib.error.URLError, OSError) as error:
                if attempt >= most:
                    raise Unreachable(f"{self._url}{path} cannot be reached.") from error
                time.sleep(_pause_s(attempt))
                continue
            if response.status < 300 or response.status == 304:
                return response
            wait_s = _retry_after_s(response.headers)
            may_repeat = response.status in PASSING or (response.status == 409 and wait_s is not None)
            if not may_repeat or attempt >= most or (wait_s or 0) > self._retry_after_max_s:
                raise _refused(response)
            time.sleep(_pause_s(attempt) if wait_s is None else wait_s)

    def _attempt(
        self, method: str, path: str, headers: Dict[str, str], body: Optional[bytes], timeout_s: float
    ) -> Response:
        own = {"Accept": JSON_API, **headers}
        if self._key is not None:
            own["Authorization"] = f"Token {self._key}"
        elif self._token is not None:
            own["Authorization"] = f"Bearer {self._token()}"
        request = urllib.request.Request(self._url + path, data=body, headers=own, method=method)
        try:
            with self._opener.open(request, timeout=timeout_s) as answer:
                return Response(answer.status, answer.headers, answer.read())
        except urllib.error.HTTPError as error:
            with error:
                return Response(error.code, error.headers, error.read())


Query = Mapping[str, Any]


def write_query(query: Query) -> str:
    """`{"filter": {"pod_eta_at": {"start": …}}}` is `filter[pod_eta_at][start]=…`. None and empty lists are left out."""
    pairs = list(_pairs(query, ""))
    return "?" + urlencode(pairs) if pairs else ""


def _pairs(query: Query, above: str) -> Iterator[Tuple[str, str]]:
    for key, value in query.items():
        name = f"{above}[{key}]" if above else key
        if value is None:
            continue
        if isinstance(value, Mapping):
            yield from _pairs(value, name)
        elif isinstance(value, (list, tuple, set, frozenset)):
            if value:
                yield name, ",".join(str(each) for each in value)
        else:
            yield name, _write(value)


def _write(value: Union[str, int, float, bool, date, datetime]) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, datetime):
        if value.tzinfo is None:
            raise ValueError(f"{value} has no zone: give it one, such as timezone.utc.")
        return value.astimezone(timezone.utc).isoformat().replace("+00:00", "Z")
    return value.isoformat() if isinstance(value, date) else str(value)


def fill_path(path: str, ids: Tuple[str, ...]) -> str:
    for each in ids:
        # An empty one would be another address: that of the list.
        if not isinstance(each, str) or each == "":
            raise ValueError(f"An id is missing: {path}")
        start, end = path.index("{"), path.index("}") + 1
        path = path[:start] + quote(each, safe="") + path[end:]
    return path


def path_of(link: str) -> str:
    """The link may name another address of the same Landfall than the one that is used here."""
    parts = urlsplit(link)
    return f"{parts.path}?{parts.query}" if parts.query else parts.path


def _sentence(fault: Mapping[str, Any]) -> str:
    source = fault.get("source") or {}
    place = source.get("pointer") or source.get("parameter") or source.get("header")
    text = fault.get("detail") or fault.get("title") or ""
    return f"{text} ({place})" if place else text


def _refused(response: Response) -> Refused:
    try:
        faults = json.loads(response.body).get("errors") or []
    except (ValueError, AttributeError):
        faults = []
    faults = faults or [{"status": str(response.status), "title": f"The answer was {response.status}."}]
    request_id = response.headers.get("x-request-id")
    return Refused(response.status, faults, request_id, _retry_after_s(response.headers))


def _retry_after_s(headers: Mapping[str, str]) -> Optional[float]:
    """`Retry-After` in seconds; it may be a date."""
    text = headers.get("retry-after")
    if text is None:
        return None
    try:
        return max(0.0, float(text))
    except ValueError:
        pass
    try:
        return max(0.0, parsedate_to_datetime(text).timestamp() - time.time())
    except (TypeError, ValueError):
        return None


def _pause_s(attempt: int) -> float:
    """Twice as long each time, each between half and all of it."""
    return FIRST_PAUSE_S * 2 ** (attempt - 1) * (0.5 + random.random() / 2)
