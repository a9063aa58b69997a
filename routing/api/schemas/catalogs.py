"""Catalogs as they were published."""

from typing import Any

from ninja import Schema

from routing.api.schemas.common import FormatName


class CatalogOut(Schema):
    """A catalog in the list; ``labels`` are the versions that its labels mean, ``live`` too."""

    name: str
    title: str
    live: str | None
    labels: dict[str, str]
    versions: int


class CatalogsOut(Schema):
    """The catalogs that the key may reach."""

    catalogs: list[CatalogOut]


class CatalogGroupOut(Schema):
    """A group of a release."""

    name: str
    description: str
    tools: list[str]


class CatalogPhaseOut(Schema):
    """A phase of a release."""

    name: str
    tools: list[str]
    groups: list[str]
    next: list[str]
    initial: bool


class CatalogReleaseOut(Schema):
    """What a reference means."""

    ref: str
    release: int
    sha256: str
    published_at: str
    groups: list[CatalogGroupOut]
    phases: list[CatalogPhaseOut]
    routes: list[str]
    default_tools: list[str]
    always_on: list[str]
    tools: list[str]


class CatalogToolsOut(Schema):
    """Tools of a release in a provider's format."""

    ref: str
    format: FormatName
    tools: list[Any]
