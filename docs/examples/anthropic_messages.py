"""An agent on Anthropic's Messages that awaits: the calls of one answer are made together."""

from __future__ import annotations

import asyncio
import os
import sys
from typing import Any

import anthropic
from refund_desk import CATALOG, INSTRUCTIONS, MOST_TURNS, ROUTE, Shop, ending, handlers_of

from routing.runtime import AsyncToolcrib, Observation


async def investigate(
    task: str, *, crib: AsyncToolcrib, client: anthropic.AsyncAnthropic, model: str, shop: Shop
) -> tuple[str, str]:
    """Work on a task; returns the run's outcome and id."""
    session = await crib.start(
        handlers_of(shop), catalog=CATALOG, route=ROUTE, task=task, format="anthropic"
    )
    messages: list[Any] = [{"role": "user", "content": task}]
    observations: list[Observation] = []
    for _ in range(MOST_TURNS):
        answer = await client.messages.create(
            model=model,
            max_tokens=2048,
            system=INSTRUCTIONS,
            messages=messages,
            tools=session.tools,
        )
        messages.append({"role": "assistant", "content": answer.content})
        turn = await session.answer(answer)
        if not turn.observations:
            status, reason = ending(observations)
            break
        observations += turn.observations
        messages += turn.messages
    else:
        status, reason = "failed", "too many turns"
    await session.finish(status, reason)
    return status, session.run_id


async def main() -> None:
    """Investigate what the command line says."""
    shop = Shop(orders={"88231": {"status": "delivered", "paid_cents": 3490}})
    async with (
        AsyncToolcrib(os.environ["TOOLCRIB_URL"], os.environ["TOOLCRIB_KEY"]) as crib,
        anthropic.AsyncAnthropic() as client,
    ):
        print(
            await investigate(
                sys.argv[1], crib=crib, client=client, model=os.environ["MODEL"], shop=shop
            )
        )


if __name__ == "__main__":
    asyncio.run(main())
