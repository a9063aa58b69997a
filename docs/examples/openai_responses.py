"""An agent on OpenAI's Responses: what came out goes in again, with the outputs of the calls."""

from __future__ import annotations

import os
import sys
from typing import Any

import openai
from refund_desk import CATALOG, INSTRUCTIONS, MOST_TURNS, ROUTE, Shop, ending, handlers_of

from routing.runtime import Observation, Toolcrib


def investigate(
    task: str, *, crib: Toolcrib, client: openai.OpenAI, model: str, shop: Shop
) -> tuple[str, str]:
    """Work on a task; returns the run's outcome and id."""
    session = crib.start(
        handlers_of(shop), catalog=CATALOG, route=ROUTE, task=task, format="openai-responses"
    )
    items: list[Any] = [{"role": "user", "content": task}]
    observations: list[Observation] = []
    for _ in range(MOST_TURNS):
        response = client.responses.create(
            model=model, instructions=INSTRUCTIONS, input=items, tools=session.tools
        )
        items += [item.model_dump(exclude_none=True) for item in response.output]
        turn = session.answer(response)
        if not turn.observations:
            status, reason = ending(observations)
            break
        observations += turn.observations
        items += turn.messages
    else:
        status, reason = "failed", "too many turns"
    session.finish(status, reason)
    return status, session.run_id


if __name__ == "__main__":
    with Toolcrib(os.environ["TOOLCRIB_URL"], os.environ["TOOLCRIB_KEY"]) as crib:
        shop = Shop(orders={"88231": {"status": "delivered", "paid_cents": 3490}})
        print(
            investigate(
                sys.argv[1],
                crib=crib,
                client=openai.OpenAI(),
                model=os.environ["MODEL"],
                shop=shop,
            )
        )
