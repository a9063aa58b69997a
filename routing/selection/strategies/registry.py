"""All strategies by name."""

from __future__ import annotations

from routing.selection.strategies.all_tools import AllTools
from routing.selection.strategies.cascade import Cascade
from routing.selection.strategies.classifier import LearnedTools
from routing.selection.strategies.contract import Proposing
from routing.selection.strategies.embedding import Embedding
from routing.selection.strategies.hierarchical import Hierarchical
from routing.selection.strategies.keyword import Keyword
from routing.selection.strategies.llm import Llm
from routing.selection.strategies.phase import PhaseTools
from routing.selection.strategies.phase_keyword import PhaseKeyword
from routing.selection.strategies.rules import Rules
from routing.selection.strategies.rules_and_rest import RulesAndRest
from routing.selection.strategies.state_machine import StateMachine
from routing.selection.types import Strategy

_STRATEGIES: dict[Strategy, Proposing] = {
    strategy.name: strategy
    for strategy in (
        AllTools(),
        PhaseTools(),
        Keyword(),
        PhaseKeyword(),
        Rules(),
        Embedding(),
        Hierarchical(),
        Llm(),
        LearnedTools(),
        StateMachine(),
        Cascade(name=Strategy.RULES_EMBEDDING, steps=(RulesAndRest(Embedding()), Embedding())),
        # A model is asked only after the others fell back, and then it decides.
        Cascade(
            name=Strategy.AUTO,
            steps=(
                RulesAndRest(Embedding()),
                LearnedTools(abstains=True),
                Llm(abstains=True),
                Embedding(),
            ),
        ),
    )
}


def strategy_named(name: Strategy) -> Proposing:
    """Return a strategy."""
    return _STRATEGIES[name]
