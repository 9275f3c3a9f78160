"""One resource of an answer: its attributes, and the resources that were included, at their names."""

from typing import Any, Dict, Iterable, List, Mapping, Optional, Tuple, Type

Key = Tuple[str, str]


class NotIncluded(AttributeError):
    """The relationship is there, but `include` did not ask for its resource."""


class Resource:
    """`shipment.pod_eta_at`, `shipment.containers[0].number`. None is known to be absent."""

    id: str
    type: str

    def __init__(self, raw: Mapping[str, Any], near: "Mapping[Key, Resource]") -> None:
        self._raw = raw
        self._near = near
        self.id = raw["id"]
        self.type = raw["type"]

    @property
    def raw(self) -> Mapping[str, Any]:
        """As the API wrote it."""
        return self._raw

    @property
    def meta(self) -> Mapping[str, Any]:
        """What stands beside the attributes, such as `provenance`."""
        return self._raw.get("meta") or {}

    @property
    def attributes(self) -> Mapping[str, Any]:
        return self._raw.get("attributes") or {}

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        attributes = self._raw.get("attributes") or {}
        if name in attributes:
            return attributes[name]
        relationships = self._raw.get("relationships") or {}
        if name in relationships:
            return self._linked(name, relationships[name])
        raise AttributeError(
            f"{self.type} has no {name}, or `fields` did not ask for it. It has: "
            + ", ".join([*attributes, *relationships])
        )

    def _linked(self, name: str, relationship: Mapping[str, Any]) -> Any:
        if "data" not in relationship:
            raise NotIncluded(f"{name} of {self.type} was not included: add it to `include`.")
        linked = relationship["data"]
        if linked is None:
            return None
        if isinstance(linked, list):
            return [self._find(name, each) for each in linked]
        return self._find(name, linked)

    def _find(self, name: str, identifier: Mapping[str, str]) -> "Resource":
        found = self._near.get((identifier["type"], identifier["id"]))
        if found is None:
            raise NotIncluded(f"{name} of {self.type} was not included: add it to `include`.")
        return found

    def __repr__(self) -> str:
        return f"<{self.type} {self.id}>"


def join(document: Mapping[str, Any], classes: Mapping[str, Type[Resource]]) -> List[Resource]:
    """The primary resources of a JSON:API document, with those beside them in reach."""
    data: Optional[Any] = document.get("data")
    primary: Iterable[Mapping[str, Any]] = data if isinstance(data, list) else [] if data is None else [data]
    near: Dict[Key, Resource] = {}
    for raw in [*(document.get("included") or []), *primary]:
        near[(raw["type"], raw["id"])] = classes.get(raw["type"], Resource)(raw, near)
    return [near[(raw["type"], raw["id"])] for raw in primary]
