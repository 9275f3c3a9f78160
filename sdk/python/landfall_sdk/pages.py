"""A list of the API, page after page."""

from typing import Any, Callable, Generic, Iterator, List, Mapping, NamedTuple, Optional, TypeVar

Item = TypeVar("Item")


class Page(NamedTuple):
    items: List[Any]
    next: Optional[str]
    meta: Mapping[str, Any]


class Pages(Generic[Item]):
    """Iterating reads a page when it is needed. Nothing is read before."""

    def __init__(self, read: Callable[[Optional[str]], Page]) -> None:
        self._read = read

    def __iter__(self) -> Iterator[Item]:
        for page in self.pages():
            yield from page.items

    def pages(self) -> Iterator[Page]:
        page = self._read(None)
        yield page
        while page.next is not None:
            page = self._read(page.next)
            yield page

    def first(self) -> Optional[Item]:
        """The first of the list; None of an empty one."""
        items = self._read(None).items
        return items[0] if items else None

    def all(self, most: Optional[int] = None) -> List[Item]:
        """All of it, `most` at most."""
        found: List[Item] = []
        for item in self:
            if most is not None and len(found) >= most:
                break
            found.append(item)
        return found
