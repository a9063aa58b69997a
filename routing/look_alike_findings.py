"""Look-alikes as findings of a draft's health."""

from catalog.health import Finding
from catalog.health.finding import gettext_noop, hint, warning
from routing.lookalikes import LookAlike

CODE = "look_alike"
TASKS = 5
"""Sample tasks of a pair that a finding lists."""

_WRONG = gettext_noop(
    "A task could not tell it from “%(other)s”: of %(tried)s sample tasks of the two, %(flipped)s "
    "go to the wrong one. The likeness of what they say is %(score)s."
)
_SAME = gettext_noop(
    "It says nearly what “%(other)s” says (likeness %(score)s), and no sample task tells which is "
    "which."
)
_MEND = gettext_noop("Say in each what tells it from the other, or merge the two.")
_SHOW = gettext_noop("Say in each what tells it from the other, and write sample tasks of both.")


def finding_of(pair: LookAlike) -> Finding:
    """Return the finding of a pair, placed at the first of the two.

    Of its parameters ``other`` is the name of the second, and ``tasks`` are the first of the sample
    tasks that go wrong, each with whose it is.
    """
    first, other = pair.names
    score = f"{pair.score:.2f}"
    if not pair.tried:
        return hint(CODE, (pair.kind, first), _SAME, _SHOW, other=other, score=score, tasks=())
    say = warning if pair.sure else hint
    return say(
        CODE,
        (pair.kind, first),
        _WRONG,
        _MEND,
        other=other,
        score=score,
        tried=pair.tried,
        flipped=len(pair.flips),
        tasks=tuple((flip.task, flip.of) for flip in pair.flips[:TASKS]),
    )
