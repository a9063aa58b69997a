"""``/catalogs``: what is published, for agents that want to look or to select in-process."""

import json
from collections import defaultdict
from typing import Any

from django.db.models import Count
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from ninja import Router

from routing.admission import admit
from routing.api import bodies
from routing.api.auth import Bearer, KeyRequest
from routing.api.problems import FieldError, invalid
from routing.api.schemas.catalogs import CatalogReleaseOut, CatalogsOut, CatalogToolsOut
from routing.api.schemas.common import READING_PROBLEMS, FormatName
from routing.compiled import CompiledRelease
from routing.keys import catalogs_of
from routing.models import ApiKey, LabelMove
from routing.models.release import LIVE
from routing.references import parse_reference

router = Router(tags=["catalogs"], auth=Bearer(ApiKey.Action.READ))


@router.get(
    "", response={200: CatalogsOut} | READING_PROBLEMS, summary="List the catalogs of the key"
)
def list_catalogs(request: KeyRequest) -> HttpResponse:
    """Return the catalogs that the key may reach, each with the versions that its labels mean."""
    reached = catalogs_of(request.auth)
    rows = (
        reached.annotate(version_count=Count("versions", distinct=True))
        .order_by("name")
        .values_list("pk", "name", "title", "version_count")
    )
    labels: dict[int, dict[str, int]] = defaultdict(dict)
    moves = LabelMove.objects.current(label=None).filter(catalog__in=reached).order_by("label")
    for pk, label, number in moves.values_list("catalog", "label", "release__version__number"):
        labels[pk][label] = number
    catalogs = [
        {
            "name": name,
            "title": title,
            "live": f"{name}@{labels[pk][LIVE]}" if LIVE in labels[pk] else None,
            "labels": {label: f"{name}@{number}" for label, number in labels[pk].items()},
            "versions": versions,
        }
        for pk, name, title, versions in rows
    ]
    return bodies.json_response(bodies.dumps({"catalogs": catalogs}))


@router.get(
    "/{ref}",
    response={200: CatalogReleaseOut} | READING_PROBLEMS,
    summary="Read what a reference means",
)
def get_catalog(request: KeyRequest, ref: str) -> HttpResponseBase:
    """Return the release that a reference means; ``If-None-Match`` is answered with 304."""
    release = _release(request, ref)
    etag = f'"{release.ref}.{release.number}.{release.sha256[:16]}"'
    if etag in request.headers.get("If-None-Match", ""):
        response = HttpResponse(status=304)
    else:
        response = bodies.json_response(bodies.dumps(catalog_value(release)))
    response["ETag"] = etag
    return response


def catalog_value(release: CompiledRelease) -> dict[str, Any]:
    """Return a release as the API shows it."""
    document = release.document
    initial = document["settings"]["initial_phase"]
    return {
        "ref": release.ref,
        "release": release.number,
        "sha256": release.sha256,
        "published_at": bodies.timestamp(release.published_at),
        "groups": [
            {key: group[key] for key in ("name", "description", "tools")}
            for group in document["groups"]
        ],
        "phases": [
            {key: phase[key] for key in ("name", "tools", "groups", "next")}
            | {"initial": phase["name"] == initial}
            for phase in document["phases"]
        ],
        "routes": [route["name"] for route in document["routes"]],
        "default_tools": document["default_tools"],
        "always_on": document["always_on"],
        "tools": list(release.names),
    }


@router.get(
    "/{ref}/tools",
    response={200: CatalogToolsOut} | READING_PROBLEMS,
    summary="Read tools in a format",
)
def list_tools(
    request: KeyRequest,
    ref: str,
    format: FormatName = "native",  # noqa: A002 - the API's own name
    strict: bool = False,
    group: str | None = None,
    tag: str | None = None,
    phase: str | None = None,
) -> HttpResponse:
    """Return the enabled tools of a release, all or those of a group, a tag or a phase.

    ``strict`` asks for schemas that the provider holds its model to, where the format has them and
    the tool's schema has such a form.
    """
    release = _release(request, ref)
    encoded = release.encoded(format, strict=strict)
    chosen = [encoded[tool] for tool in _chosen(release, group=group, tag=tag, phase=phase)]
    if format == "prompt":
        lines = (json.loads(line) for line in chosen)
        return HttpResponse("\n".join(lines), content_type="text/plain; charset=utf-8")
    head = bodies.dumps({"ref": release.ref, "format": format})[:-1]
    return bodies.json_response(head + b',"tools":' + bodies.tool_list(chosen) + b"}")


def _chosen(
    release: CompiledRelease, *, group: str | None, tag: str | None, phase: str | None
) -> list[int]:
    groups = {item["name"]: item["tools"] for item in release.document["groups"]}
    phases = {item["name"]: item for item in release.document["phases"]}
    if group is not None and group not in groups:
        raise invalid(FieldError("group", f"There is no group “{group}” in {release.ref}."))
    if phase is not None and phase not in phases:
        raise invalid(FieldError("phase", f"There is no phase “{phase}” in {release.ref}."))
    of_phase: set[str] = set()
    if phase is not None:
        members = (groups[name] for name in phases[phase]["groups"])
        of_phase = set(phases[phase]["tools"]).union(*members)
    return [
        position
        for position, tool in enumerate(release.document["tools"])
        if tool["enabled"]
        and (group is None or tool["name"] in groups[group])
        and (tag is None or tag in tool["tags"])
        and (phase is None or tool["name"] in of_phase)
    ]


@router.get("/{ref}/document", summary="Read the canonical document, byte for byte")
def get_document(request: KeyRequest, ref: str) -> HttpResponse:
    """Return the frozen value that the version's SHA-256 is over."""
    release = _release(request, ref)
    response = bodies.json_response(release.content)
    response["ETag"] = f'"{release.sha256}"'
    return response


def _release(request: HttpRequest, ref: str) -> CompiledRelease:
    key: ApiKey = request.auth  # type: ignore[attr-defined]
    return admit(key=key, reference=parse_reference(ref)).release
