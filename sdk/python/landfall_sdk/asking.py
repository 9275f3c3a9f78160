"""How the operations of the API are asked, whatever their names."""

import json
import uuid
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple

from .connection import JSON_API, Connection, Response, fill_path, path_of, write_query
from .pages import Page, Pages
from .resource import Resource, join
from .resources import CLASSES

Fields = Optional[Mapping[str, Sequence[str]]]


class Asking(Connection):
    """What the operations are made of."""

    def _ask(
        self,
        method: str,
        path: str,
        ids: Tuple[str, ...],
        query: Mapping[str, Any],
        *,
        kind: Optional[str] = None,
        body: Any = None,
        content_type: Optional[str] = None,
        if_match: Optional[str] = None,
        idempotency_key: Optional[str] = None,
    ) -> Response:
        headers: Dict[str, str] = {}
        if method == "POST":
            # So that a repeated request does nothing twice.
            headers["Idempotency-Key"] = idempotency_key or str(uuid.uuid4())
        if if_match is not None:
            headers["If-Match"] = if_match
        content = None
        if kind is not None:
            content = _write_body(kind, body, ids[-1] if ids else None)
            headers["Content-Type"] = content_type or ("text/csv" if kind == "bytes" else JSON_API)
        return self.send(method, fill_path(path, ids) + write_query(query), headers=headers, body=content)

    def _one(self, *asked: Any, **more: Any) -> Any:
        response = self._ask(*asked, **more)
        if not response.body:
            return None
        document = json.loads(response.body)
        found: List[Resource] = join(document, CLASSES)
        if not found:
            return None
        # For `if_match`.
        found[0].etag = response.headers.get("etag")  # type: ignore[attr-defined]
        # Beside the resource in the answer.
        found[0].answer_meta = document.get("meta") or {}  # type: ignore[attr-defined]
        return found[0]

    def _many(self, method: str, path: str, ids: Tuple[str, ...], query: Mapping[str, Any]) -> Pages[Any]:
        first = fill_path(path, ids) + write_query(query)

        def read(following: Optional[str]) -> Page:
            document = json.loads(self.send(method, following or first).body)
            link = (document.get("links") or {}).get("next")
            return Page(join(document, CLASSES), path_of(link) if link else None, document.get("meta") or {})

        return Pages(read)

    def _json(self, *asked: Any, **more: Any) -> Any:
        response = self._ask(*asked, **more)
        return json.loads(response.body) if response.body else None

    def _bytes(self, *asked: Any, **more: Any) -> bytes:
        return self._ask(*asked, **more).body

    def _nothing(self, *asked: Any, **more: Any) -> None:
        self._ask(*asked, **more)


def _write_body(kind: str, body: Any, own_id: Optional[str]) -> bytes:
    """A resource is given by its attributes, with `relationships` beside them."""
    if kind == "bytes":
        return body.encode() if isinstance(body, str) else bytes(body)
    if kind == "json":
        return json.dumps(body).encode()
    attributes = dict(body)
    data: Dict[str, Any] = {"type": kind, "attributes": attributes}
    if "relationships" in attributes:
        data["relationships"] = attributes.pop("relationships")
    if own_id is not None:
        data["id"] = own_id
    return json.dumps({"data": data}).encode()


