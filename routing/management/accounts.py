"""An account of why a tool is served or not, as lines for a terminal."""

from __future__ import annotations

from routing.selection import Why, WhyNot
from routing.selection.whynot import Account, Belief

_SERVED = {
    Why.RULE: "a rule names it",
    Why.KEYWORD: "a keyword rule adds it",
    Why.PHASE: "the phase offers it",
    Why.LEXICAL: "its words fit the task",
    Why.SEMANTIC: "its meaning fits the task",
    Why.CLASSIFIER: "the classifier chose it",
    Why.MODEL: "the router model chose its group",
    Why.GROUP: "its group is served whole",
    Why.OPEN_GROUP: "its group was asked for",
    Why.DEFAULT: "it is a default tool",
    Why.ALWAYS_ON: "it is always on",
    Why.ALL: "everything is served",
}
_DROPPED = {
    WhyNot.OVER_CAP: "wanted, but the cap of {cap} left no room: {proposed} tools were wanted",
    WhyNot.BELOW_THRESHOLD: "wanted, but the selection as a whole was under the threshold",
    WhyNot.ROUTE: "the route does not allow it",
    WhyNot.DISABLED: "it is disabled in this version",
    WhyNot.CIRCUIT_OPEN: "its circuit is open: it is switched off",
    WhyNot.NOT_IN_PHASE: "the phase does not offer it",
    WhyNot.REMOVED_BY_RULE: "a keyword rule removes it",
}


def account_lines(account: Account) -> list[str]:
    """Return what a person reads of an account: the verdict, then what speaks for the tool."""
    verb = "served" if account.served else "not served"
    lines = [f"{account.tool}: {verb} ({account.reason.value}): {_verdict(account)}"]
    if account.place is not None and account.score is not None:
        where = f"place {account.place} of {account.candidates}"
        lines.append(f"  ranking: {where} by {account.decided_by.value}, score {account.score:.4f}")
    lines.append(f"  words: {', '.join(account.words) or 'none of the task'}, {_words(account)}")
    if account.cosine is not None and account.best_cosine is not None:
        best = f"the best tool's is {account.best_cosine:.2f}"
        lines.append(f"  meaning: cosine {account.cosine:.2f}, {best}")
    lines.append(f"  name: the task says {account.name:.0%} of it")
    if account.group is not None and account.group_belief is not None:
        opened = "opened" if account.group_opened else "left closed"
        lines.append(
            f"  group: {account.group}, {opened}, holds {account.group_belief:.1%} of belief"
        )
    lines.append(f"  belief: {_belief(account)}")
    return lines


def _verdict(account: Account) -> str:
    if isinstance(account.reason, Why):
        return _SERVED[account.reason]
    if account.reason is not WhyNot.BELOW_CUT:
        return _DROPPED[account.reason].format(cap=account.cap, proposed=account.proposed)
    if not account.by_evidence:
        return f"{account.decided_by.value} decided, and did not name it"
    if not account.proposed:
        return "nothing that the task says speaks for any tool"
    if account.by_group and not account.group_opened:
        return f"its group {account.group} was not opened" if account.group else "it has no group"
    return _below_cut(account, account.belief)


def _below_cut(account: Account, belief: Belief | None) -> str:
    if belief is None:
        return "too far off to be looked at closely"
    if belief.needed < belief.least:
        return "hardly needed"
    if belief.stray:
        return f"hardly anything else speaks for its group {account.group}"
    return "the evidence ended before it"


def _words(account: Account) -> str:
    return f"{account.lexical:.0%} of what the best tool's score"


def _belief(account: Account) -> str:
    belief = account.belief
    if belief is None:
        return "not weighed: other tools are nearer in words and in meaning"
    said = (
        f"{belief.share:.1%}, and {belief.nothing:.1%} in nothing; needed with probability "
        f"{belief.needed:.4f}"
    )
    if account.by_group:
        return f"{said}; but groups were opened first, and that decided"
    return (
        f"{said}, where {belief.least} keeps a tool; the cut fell after place {belief.reach}, "
        f"this is place {belief.place}"
    )
