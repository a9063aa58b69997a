"""Files that are written while they are read."""

from collections.abc import Iterable, Iterator

from django.http import StreamingHttpResponse

BLOCK = 64 * 1024
"""About so many characters are sent at once."""


def file_of(lines: Iterable[str], *, name: str, content_type: str) -> StreamingHttpResponse:
    """Return an answer that is saved under a name; nothing of it is made before it is read."""
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return StreamingHttpResponse(in_blocks(lines), content_type=content_type, headers=headers)


def in_blocks(lines: Iterable[str], *, size: int = BLOCK) -> Iterator[str]:
    """Yield many lines as few texts: each costs the server something."""
    some: list[str] = []
    length = 0
    for line in lines:
        some.append(line)
        length += len(line)
        if length >= size:
            yield "".join(some)
            some, length = [], 0
    if some:
        yield "".join(some)
