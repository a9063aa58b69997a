"""Answers as bytes: tools were encoded when their release was compiled, and are joined here."""

import json
from collections.abc import Iterable, Sequence
from datetime import datetime

from django.http import HttpResponse

from routing.answers import ExpansionAnswer, SelectionAnswer, Tokens
from routing.compiled import CompiledRelease
from routing.selection import ModelAnswer, Selection


def dumps(value: object) -> bytes:
    """Return a value as compact UTF-8 JSON."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8")


def json_response(content: bytes, *, status: int = 200) -> HttpResponse:
    """Return JSON that is already bytes."""
    return HttpResponse(
        content,
        status=status,
        content_type="application/json",
        headers={"Content-Length": str(len(content))},
    )


def timestamp(time: datetime) -> str:
    """Return a time as RFC 3339 in UTC."""
    return time.isoformat().replace("+00:00", "Z")


def tool_list(contents: Iterable[bytes]) -> bytes:
    """Join encoded tools into a JSON list."""
    return b"[" + b",".join(contents) + b"]"


def offered_tools(
    release: CompiledRelease,
    tools: Sequence[int],
    *,
    requestable: tuple[str, ...],
    format_name: str,
    route: str | None = None,
    deferred: Sequence[int] = (),
) -> bytes:
    """Return tools in a format as a JSON list, ``request_group`` last where there is one.

    Behind them comes what the provider's search may load.
    """
    encoded = release.encoded(format_name)
    contents = [encoded[tool] for tool in tools]
    if requestable:
        contents.append(release.request_group(groups=requestable, format_name=format_name).content)
    if deferred:
        contents += release.deferral(format_name).entries(deferred, route=route)
    return tool_list(contents)


def selection_body(answer: SelectionAnswer, *, explain: bool) -> bytes:
    """Return the body of ``POST /selections``."""
    selection = answer.selection
    head = {
        "id": answer.id,
        "run_id": answer.run_id,
        "catalog": answer.release.ref,
        "release": answer.release.number,
        "strategy": selection.strategy,
        "decided_by": selection.decided_by,
        "groups": selection.groups,
        "proposed_groups": selection.proposed_groups,
        "confidence": round(selection.confidence, 4),
        "confidence_source": selection.confidence_source,
        "fallback": selection.fallback,
        "explored": selection.explored,
        "tool_names": answer.tool_names,
    }
    tail = {
        "deferred": [answer.release.names[tool] for tool in answer.deferred],
        "tokens": tokens_value(answer.tokens),
        "explain": explanation(selection, router=answer.router) if explain else None,
    }
    tools = offered_tools(
        answer.release,
        selection.tools,
        requestable=selection.requestable,
        format_name=answer.format,
        route=answer.route,
        deferred=answer.deferred,
    )
    return _spliced(head, "tools", tools, tail)


def expansion_body(answer: ExpansionAnswer) -> bytes:
    """Return the body of ``POST /selections/{id}/expansions``."""
    head = {
        "id": answer.id,
        "run_id": answer.run_id,
        "catalog": answer.release.ref,
        "group": answer.group,
        "groups": answer.groups,
    }
    tail = {"tool_names": answer.tool_names, "tokens": tokens_value(answer.tokens)}
    encoded = answer.release.encoded(answer.format)
    added = tool_list(encoded[tool] for tool in answer.added)
    return _spliced(head, "added", added + b',"references":' + _references(answer), tail)


def _references(answer: ExpansionAnswer) -> bytes:
    """Return what points a model to the tools that it finds behind the provider's search."""
    if not answer.loaded:
        return b"[]"
    deferral = answer.release.deferral(answer.format)
    return tool_list(deferral.references(answer.loaded, route=answer.route))


def _spliced(head: object, name: str, content: bytes, tail: object) -> bytes:
    """Put bytes that are JSON already between the fields before and after them."""
    return b"".join((dumps(head)[:-1], b',"', name.encode(), b'":', content, b",", dumps(tail)[1:]))


def tokens_value(tokens: Tokens) -> dict[str, int | float]:
    """Return tokens as the API shows them."""
    return {"selected": tokens.selected, "catalog": tokens.catalog, "saved": tokens.saved}


def explanation(selection: Selection, *, router: ModelAnswer | None = None) -> dict[str, object]:
    """Return why a selection is what it is, and what a router model said to it."""
    return {
        "included": [
            {"tool": kept.tool, "score": _rounded(kept.score), "reason": kept.reason}
            for kept in selection.included
        ],
        "omitted": [
            {"tool": miss.tool, "score": _rounded(miss.score), "reason": miss.reason}
            for miss in selection.omitted
        ],
        "omitted_counts": selection.omitted_counts,
        "groups": [
            {"group": scored.group, "score": _rounded(scored.score), "reason": scored.reason}
            for scored in selection.scored_groups
        ],
        "router": router.record() if router else None,
    }


def _rounded(score: float | None) -> float | None:
    return None if score is None else round(score, 4)
