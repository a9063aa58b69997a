"""A release as a process keeps it: its index, and every tool's bytes ready to send."""

import logging
import threading
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import numpy as np

from catalog import formats
from catalog.document import REQUEST_GROUP
from catalog.shelf import Shelf
from catalog.tokens import count_tokens
from routing.bounds import RouteBounds, bounds_of
from routing.deferral import Deferral
from routing.encoding import EncoderFailed, Missing, encoder_of_release
from routing.fitted.storing import compiling_of
from routing.models import LabelMove, Release
from routing.policy.rules import Rulebook
from routing.selection import (
    Circumstances,
    Encoder,
    Index,
    Query,
    Selection,
    Strategy,
    compile_index,
    select,
    texts_to_embed,
)
from routing.vectors import count_missing, ensure_vectors, stored_vectors

MOST_MADE_AT_ONCE = 500
"""Vectors that a process makes while somebody waits: two seconds or so of the shipped encoder."""

_log = logging.getLogger(__name__)

# Tokens are counted in the format that most agents send.
_COUNTED_FORMAT = "openai"


@dataclass(frozen=True, slots=True)
class EncodedTool:
    """A tool in one format: its JSON bytes, and its tokens as an estimate."""

    content: bytes
    tokens: int


@dataclass(eq=False, slots=True)
class CompiledRelease:
    """Everything that a request needs of a release, prepared once.

    The tuples by format are in the order of the document's tools.
    """

    pk: int
    number: int
    catalog_id: int
    catalog: str
    ref: str
    sha256: str
    published_at: datetime
    content: bytes
    document: Mapping[str, Any]
    index: Index
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _tools: dict[tuple[str, bool], tuple[bytes, ...]] = field(default_factory=dict)
    _deferrals: dict[str, Deferral] = field(default_factory=dict)
    _tokens: tuple[int, ...] | None = None
    _request_groups: dict[tuple[tuple[str, ...], str], EncodedTool] = field(default_factory=dict)
    _catalog_tokens: dict[str | None, int] = field(default_factory=dict)
    _rules: Rulebook | None = None
    _bounds: dict[str | None, RouteBounds] = field(default_factory=dict)

    @property
    def names(self) -> tuple[str, ...]:
        """Return the names of the document's tools, in its order."""
        return self.index.tools

    def position(self, tool: str) -> int:
        """Return the place of a tool in the document; raises ``KeyError``."""
        return self.index.position[tool]

    @property
    def rules(self) -> Rulebook:
        """Return what calls are checked against; a tool's schemas are compiled at its first."""
        if self._rules is None:
            self._rules = Rulebook.of(self.document, ref=self.ref)
        return self._rules

    def bounds(self, route: str | None) -> RouteBounds:
        """Return what a route lets a run do."""
        made = self._bounds.get(route)
        if made is None:
            made = bounds_of(document=self.document, index=self.index, route=route)
            self._bounds[route] = made
        return made

    def encoded(self, format_name: str, *, strict: bool = False) -> tuple[bytes, ...]:
        """Return each tool's JSON in a format, made at the first request for it."""
        made = self._tools.get((format_name, strict))
        if made is None:
            with self._lock:
                made = self._tools[format_name, strict] = tuple(
                    formats.encode(tool, format_name=format_name, strict=strict)
                    for tool in self.document["tools"]
                )
        return made

    def deferral(self, format_name: str) -> Deferral:
        """Return the tools as a provider's search may load them; ``KeyError`` where it has none."""
        made = self._deferrals.get(format_name)
        if made is None:
            with self._lock:
                made = self._deferrals[format_name] = Deferral(
                    document=self.document, index=self.index, format_name=format_name
                )
        return made

    @property
    def tokens(self) -> tuple[int, ...]:
        """Return each tool's tokens as an estimate."""
        if self._tokens is None:
            self._tokens = tuple(
                count_tokens(content.decode()) for content in self.encoded(_COUNTED_FORMAT)
            )
        return self._tokens

    def request_group(self, *, groups: tuple[str, ...], format_name: str) -> EncodedTool:
        """Return the tool that opens one more of ``groups``, in a format."""
        key = (groups, format_name)
        made = self._request_groups.get(key)
        if made is None:
            tool = self._request_group_tool(groups)
            counted = formats.encode(tool, format_name=_COUNTED_FORMAT).decode()
            made = self._request_groups[key] = EncodedTool(
                content=formats.encode(tool, format_name=format_name), tokens=count_tokens(counted)
            )
        return made

    def _request_group_tool(self, groups: Sequence[str]) -> dict[str, Any]:
        described = {group["name"]: group["description"] for group in self.document["groups"]}
        lines = "\n".join(f"- {name}: {described[name]}" for name in groups)
        return {
            "name": REQUEST_GROUP,
            "title": "Request a group of tools",
            "revision": 1,
            "description": (
                "Get the tools of one more group when the task needs a tool that you were not "
                "given. Say which group, and why. The groups are:\n" + lines
            ),
            "category": "routing",
            "tags": [],
            "input_schema": {
                "type": "object",
                "properties": {
                    "group": {"type": "string", "enum": list(groups)},
                    "reason": {"type": "string", "description": "Why the task needs the group."},
                },
                "required": ["group"],
                "additionalProperties": False,
            },
            "output_schema": None,
            "capability": "routing",
            "side_effect": "read",
            "idempotent": True,
            "open_world": False,
            "scopes": [],
            "needs_approval": False,
            "timeout_ms": 10_000,
            "max_attempts": 3,
            "output_trust": "trusted_system",
            "enabled": True,
            "owner": "toolcrib",
            "aliases": [],
            "examples": [],
            "trace_fields": ["group"],
        }

    def catalog_tokens(self, route: str | None) -> int:
        """Return the tokens of everything that a route could offer: what ``all`` would serve."""
        counted = self._catalog_tokens.get(route)
        if counted is None:
            everything = select(
                Query(task="", route=route, strategy=Strategy.ALL), self.index, Circumstances()
            )
            counted = self._catalog_tokens[route] = self.selection_tokens(everything)
        return counted

    def selection_tokens(self, selection: Selection) -> int:
        """Return the tokens of what a selection offers, ``request_group`` among it."""
        counted = self.count(selection.tools)
        if selection.requestable:
            asking = self.request_group(groups=selection.requestable, format_name=_COUNTED_FORMAT)
            counted += asking.tokens
        return counted

    def count(self, positions: Iterable[int]) -> int:
        """Return the tokens of some tools together."""
        tokens = self.tokens
        return sum(tokens[position] for position in positions)


def compile_release(release: Release) -> CompiledRelease:
    """Compile a release: read its document, its vectors and what was learned; build its index.

    Publishing made the vectors. A few that are missing all the same are made now; with many
    missing, or where the encoder cannot be had, the release compares words only.
    """
    document = release.version.parsed()
    encoder = encoder_of_release(release.encoder)
    vectors = _vectors(texts_to_embed(document), encoder=encoder, of=release)
    index = compile_index(document, encoder=encoder, vectors=vectors, **compiling_of(release))
    return CompiledRelease(
        pk=release.pk,
        number=release.number,
        catalog_id=release.catalog_id,
        catalog=release.catalog.name,
        ref=str(release.version),
        sha256=release.version.sha256,
        published_at=release.created_at,
        content=bytes(release.version.document),
        document=document,
        index=index,
    )


def _vectors(
    texts: Mapping[str, str], *, encoder: Encoder | None, of: Release
) -> Mapping[str, np.ndarray]:
    if encoder is None:
        return {}
    if isinstance(encoder, Missing):
        return encoder.stand_ins(texts)
    missing = count_missing(texts=texts, encoder_name=encoder.name)
    if missing <= MOST_MADE_AT_ONCE:
        try:
            return ensure_vectors(texts=texts, encoder=encoder)
        except EncoderFailed as error:
            _log.warning("%s compares words only: %s", of, error)
    else:
        _log.warning("%s compares words only: %d of its vectors are to be made.", of, missing)
    return stored_vectors(hashes=texts, encoder_name=encoder.name)


# A release never changes, so that what was compiled stays right for as long as it is kept.
shelf: Shelf[int, CompiledRelease] = Shelf(size=64)


def compiled_release(pk: int) -> CompiledRelease:
    """Return a release, compiled at its first use in this process."""
    return shelf.get(pk, lambda: compile_release(_release(pk)))


def compile_labelled_releases() -> int:
    """Compile what agents ask for by name or label, and return how many releases that is.

    Everything that a first request would wait for is made: the encoder is loaded, and the tools are
    encoded and counted. All of them are kept, with room for as many that runs still are on.
    """
    moves = LabelMove.objects.current(label=None).filter(catalog__archived=False)
    labelled = set(moves.values_list("release_id", flat=True))
    shelf.hold(2 * len(labelled))
    for pk in sorted(labelled):
        release = compiled_release(pk)
        _ = release.tokens
    return len(labelled)


def _release(pk: int) -> Release:
    related = ("version__catalog", "catalog", "calibration", "classifier")
    return Release.objects.select_related(*related).get(pk=pk)
