"""What stops a publish: the document's own checks, each problem with what to do about it."""

from collections.abc import Iterable, Iterator, Mapping

from catalog.document import Problem
from catalog.health.finding import Finding, Mend, MendKind, Sentence, Severity, gettext_noop

FIXES: Mapping[str, str] = {
    "reserved_name": gettext_noop("Give the tool another name."),
    "colliding_names": gettext_noop("Rename one of the two."),
    "invalid_schema": gettext_noop("Correct the schema of the tool."),
    "input_is_no_object": gettext_noop("Make the type of the input schema “object”."),
    "unknown_name": gettext_noop("Take the name out, or add what it names."),
    "fallback_with_side_effect": gettext_noop("Serve a tool in its place that only reads."),
    "phase_without_read_tool": gettext_noop("Give the phase a tool that looks things up."),
    "route_without_default": gettext_noop("Allow a default tool on the route."),
    "invalid_pattern": gettext_noop("Write the pattern as RE2 understands it."),
}
_OTHER = gettext_noop("Mend it before you publish.")
_FLAGS = {"default_tools": "is_default", "always_on": "always_on"}


def publish_refusals(problems: Iterable[Problem]) -> Iterator[Finding]:
    """Yield what a publish is refused for as findings."""
    for problem in problems:
        yield Finding(
            code=problem.code,
            severity=Severity.ERROR,
            place=problem.place,
            reason=Sentence(problem.template, problem.params),
            fix=Sentence(FIXES.get(problem.code, _OTHER)),
            mend=_mend_of(problem),
        )


def _mend_of(problem: Problem) -> Mend | None:
    setting = problem.params.get("setting")
    if problem.code == "fallback_with_side_effect" and isinstance(setting, str):
        return Mend(MendKind.CLEAR_FLAG, _FLAGS[setting])
    return None
