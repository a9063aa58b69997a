"""A worker that a test kills: ``worker.py URL STATE FOLDER WHEN``, with the key in TOOLCRIB_KEY.

It answers one call that drafts a refund. WHEN says where it stops for ever: ``before`` the side
effect, ``after`` it, or ``never``. A side effect is a file in FOLDER named by the idempotency key;
``attempts`` lists the keys of all attempts.
"""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path
from typing import Any

from routing.runtime import Call, Handlers, Toolcrib

DRAFT = {"id": "m1", "name": "draft_refund_request"}
ARGUMENTS = {"order_id": "88231", "amount_cents": 500}


def handlers_in(folder: Path, *, stop: str) -> Handlers:
    """Return the handler of the draft."""
    handlers = Handlers()

    @handlers.handler()
    def draft_refund_request(call: Call, order_id: str, amount_cents: int) -> dict[str, Any]:
        with (folder / "attempts").open("a") as attempts:
            attempts.write(f"{call.attempt} {call.idempotency_key}\n")
        if stop == "before":
            _stop(folder)
        effect = folder / f"{call.idempotency_key}.draft"
        if not effect.exists():
            effect.write_text("drafted once")
        if stop == "after":
            _stop(folder)
        return {"request_id": call.idempotency_key[:8]}

    return handlers


def _stop(folder: Path) -> None:
    (folder / "stopped").touch()
    time.sleep(60)


def main() -> None:
    """Answer the call, and print what came of it."""
    url, state, folder, stop = sys.argv[1:]
    with Toolcrib(url, os.environ["TOOLCRIB_KEY"]) as crib:
        session = crib.restore(json.loads(state), handlers_in(Path(folder), stop=stop))
        turn = session.answer([DRAFT | {"arguments": ARGUMENTS}])
        (observed,) = turn.observations
        print(json.dumps([observed.status, observed.reason, observed.attempt, observed.data]))


if __name__ == "__main__":
    main()
