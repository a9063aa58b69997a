"""What to change: findings from the counts, each with the change as one click."""

from collections.abc import Sequence
from dataclasses import dataclass

from dashboard.advising.pieces import Piece, advice_for
from dashboard.advising.words import change_words, found_words
from dashboard.metrics.findings import AskedOften, Finding, MostlyAdded
from dashboard.run_links import RunLinks
from dashboard.topics.viewed import Shown, Viewed
from routing.moves import current_move


@dataclass(frozen=True, slots=True)
class ShownPiece:
    """A piece of advice in words; ``url`` leads to the runs that it is given for."""

    piece: Piece
    found: str
    change: str
    url: str

    @property
    def key(self) -> str:
        """Return what the button sends."""
        return self.piece.finding.key


def advice_topic(viewed: Viewed) -> Shown:
    """Show the advice for one catalog that has a live version."""
    part = "dashboard/metrics/_advice.html"
    move = current_move(viewed.catalog) if viewed.catalog else None
    if viewed.catalog is None or move is None:
        return Shown(part=part, context={"pieces": None})
    advice = advice_for(viewed.asked, catalog=viewed.catalog, live=move.release)
    return Shown(
        part=part,
        context={"pieces": shown_pieces(advice.pieces, viewed.links), "few": advice.few},
    )


def shown_pieces(pieces: Sequence[Piece], links: RunLinks) -> Sequence[ShownPiece]:
    """Return pieces in words."""
    return [
        ShownPiece(
            piece=piece,
            found=found_words(piece.finding),
            change=change_words(piece),
            url=_runs_behind(piece.finding, links),
        )
        for piece in pieces
    ]


def _runs_behind(finding: Finding, links: RunLinks) -> str:
    if isinstance(finding, AskedOften):
        return links.of(began=finding.origin, asked=finding.asked)
    if isinstance(finding, MostlyAdded):
        return links.of(tool=finding.tool, expanded="1")
    return ""
