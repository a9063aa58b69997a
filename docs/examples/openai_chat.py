"""An agent on OpenAI's Chat Completions, or on any server that speaks them."""

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
        handlers_of(shop), catalog=CATALOG, route=ROUTE, task=task, format="openai"
    )
    messages: list[Any] = [
        {"role": "system", "content": INSTRUCTIONS},
        {"role": "user", "content": task},
    ]
    observations: list[Observation] = []
    for _ in range(MOST_TURNS):
        completion = client.chat.completions.create(
            model=model, messages=messages, tools=session.tools
        )
        messages.append(completion.choices[0].message.model_dump(exclude_none=True))
        turn = session.answer(completion)
        if not turn.observations:
            status, reason = ending(observations)
            break
        observations += turn.observations
        messages += turn.messages
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
