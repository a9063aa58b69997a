"""What operations are called: ids may be missing, and may occur twice."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from catalog.reading.names import canonical_name, hashed
from catalog.reading.results import Remark


@dataclass(frozen=True, slots=True)
class Operation:
    """Where an operation is, and the id that it has."""

    path: str
    method: str
    identifier: str | None

    @property
    def place(self) -> str:
        """Return the place as a person finds it."""
        return f"{self.method.upper()} {self.path}"


@dataclass(frozen=True, slots=True)
class Name:
    """What an operation is called here, and why, where that is not its id."""

    name: str
    note: Remark | None = None


def names_of(operations: Sequence[Operation]) -> list[Name]:
    """Return a name for each operation, which depends on the document alone, not on its order.

    Without an id it is made of method and path. An id that several operations share is followed by
    the method, where that tells them apart, else by a hash of the path.
    """
    ids = Counter(operation.identifier for operation in operations)
    with_method = Counter((operation.identifier, operation.method) for operation in operations)
    taken = Counter(_plain(operation).lower() for operation in operations)
    names = []
    for operation in operations:
        identifier = operation.identifier
        if identifier is not None and ids[identifier] == 1:
            names.append(Name(identifier))
            continue
        if identifier is None:
            name = _plain(operation)
            if taken[name.lower()] > 1:
                name = hashed(name, of=operation.place)
            names.append(Name(name, Remark("name_made", {"canonical": name})))
            continue
        if with_method[identifier, operation.method] == 1:
            name = canonical_name(f"{identifier}_{operation.method}")
        else:
            name = hashed(canonical_name(identifier), of=operation.place)
        shared = Remark("name_shared", {"name": identifier, "canonical": name})
        names.append(Name(name, shared))
    return names


def _plain(operation: Operation) -> str:
    if operation.identifier is not None:
        return canonical_name(operation.identifier)
    return canonical_name(f"{operation.method}_{operation.path.strip('/') or 'root'}")
