"""What runs called of a group once they had asked for it: read from the newest spans, so many."""

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from dashboard.metrics.periods import moment
from routing.models import Span
from routing.models.run import CASE, SIMULATED
from routing.partitions.since import ids_since
from routing.rollups.reading import tool_name

LAST = 400
"""So many expansions are looked at, the newest rows of an index, however many there are."""
ENOUGH = 0.1
"""A further tool is worth adding if it serves this share more of the requests wholly."""


@dataclass(frozen=True, slots=True)
class Request:
    """One request for a group: what its selection had served, and what of it was then called.

    ``called`` are the tools that were called and that the selection had not offered.
    """

    origins: tuple[str, ...]
    asked: str
    called: frozenset[str]


def requests(*, catalog: int, start: int, end: int, simulated: bool) -> Sequence[Request]:
    """Return a catalog's newest requests between two hours that a call followed. Three queries."""
    asked = Span.objects.filter(
        catalog=catalog, name=Span.Name.EXPAND, hour__gte=start, hour__lt=end
    ).exclude(source=CASE)
    if not simulated:
        asked = asked.exclude(source=SIMULATED)
    asked = asked.filter(pk__gte=ids_since(moment(start)))
    rows = list(asked.order_by("-hour").values_list("pk", "selection_id", "group")[:LAST])
    selections = {selection for _asked, selection, _group in rows if selection}
    served = {
        pk: (groups, offered)
        for pk, groups, offered in Span.objects.filter(pk__in=selections).values_list(
            "pk", "groups", "offered"
        )
    }
    calls = _calls(selections)
    found = []
    for _asked, selection, group in rows:
        origins, offered = served.get(selection or 0, ((), ()))
        known = frozenset(offered)
        called = frozenset(name for at, name in calls[selection or 0] if at not in known)
        if called:
            found.append(Request(tuple(origins), group, called))
    return found


def _calls(selections: set[int]) -> Mapping[int, list[tuple[int, str]]]:
    """Return the tools that were called after each selection, by position and name."""
    calls: dict[int, list[tuple[int, str]]] = defaultdict(list)
    allowed = Span.objects.filter(
        selection__in=selections,
        # A call has a higher number than the selection that it names.
        pk__gt=min(selections, default=0),
        name=Span.Name.CALL,
        decision="allowed",
    )
    for selection, release, tool in allowed.values_list("selection_id", "release_id", "tool"):
        if tool is not None:
            calls[selection or 0].append((tool, tool_name(release, tool)))
    return calls


def fewest_tools(
    found: Sequence[Request], *, members: Sequence[str], room: int, held: Collection[str] = ()
) -> tuple[tuple[str, ...], int]:
    """Return the fewest ``members`` that serve most of some requests, and how many they serve.

    A request is served if everything of the group that it called is among them. The most called
    tool comes first; a further one comes as long as it serves a tenth of the requests more. At most
    ``room`` are chosen, beside those that are ``held`` already, which take none.
    """
    wanted = [request.called & set(members) for request in found]
    wanted = [one for one in wanted if one]
    chosen: list[str] = []
    served = 0
    while True:
        is_full = len(set(chosen) - set(held)) >= room
        left = [one for one in wanted if not one <= set(chosen)]
        gains = {
            name: sum(1 for one in left if one <= {*chosen, name})
            for name in members
            if name not in chosen and (name in held or not is_full)
        }
        best = max(gains, key=lambda name: gains[name], default="")
        if not best or gains[best] < max(ENOUGH * len(wanted), 1):
            break
        chosen.append(best)
        served += gains[best]
    return tuple(chosen), served


def usual_origin(found: Sequence[Request], *, tool: str) -> str:
    """Return the group that had most often been served where a tool had to be asked for.

    "" where it mostly was none.
    """
    counted: Counter[str] = Counter()
    for request in found:
        if tool in request.called:
            counted.update(request.origins or ("",))
    return min(counted, key=lambda name: (-counted[name], name), default="")
