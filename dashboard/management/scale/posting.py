"""A process that sends what agents send, and writes down what was acknowledged; knows no Django.

Its plan comes as JSON on standard input; what it did goes as JSON to standard output. It sends
until it is told to stop (SIGTERM) or its time is over. What gets no answer is sent again where that
is safe, as an agent would: a batch of spans has ids of its own. Anything else is given up, and a
new run begun.
"""

import http.client
import json
import os
import signal
import sys
import time
import uuid
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from random import Random
from types import FrameType
from typing import Any, TextIO

BATCH = 200
PAUSE = 0.05
"""Seconds before a server that does not answer is asked again."""
_TIMEOUT = 30.0


class NoAnswer(Exception):
    """The server did not answer, or said that it could not."""


@dataclass(slots=True)
class Done:
    """What was acknowledged: answers and spans, and each answer's seconds."""

    answers: int = 0
    spans: int = 0
    unanswered: int = 0
    refused: int = 0
    seconds: list[float] = field(default_factory=list)


class Poster:
    """Sends to one server over one connection, which is made anew where it breaks."""

    def __init__(self, plan: Mapping[str, Any], log: TextIO | None) -> None:
        self._plan = plan
        self._log = log
        self._connection: http.client.HTTPConnection | None = None
        self._chance = Random(plan["seed"])  # noqa: S311 - traffic for a trial, no secret
        self.done = Done()

    def send(self, path: str, body: Mapping[str, Any]) -> dict[str, Any]:
        """Post JSON, and return the answer. Raises ``NoAnswer``."""
        started = time.perf_counter()
        try:
            status, answer = self._answer(path, body)
        except (OSError, http.client.HTTPException, ValueError) as error:
            self.close()
            self.done.unanswered += 1
            time.sleep(PAUSE)
            raise NoAnswer(str(error)) from error
        if status >= 500 or status == 429:
            self.done.unanswered += 1
            time.sleep(PAUSE)
            raise NoAnswer(f"{status} {answer}")
        if status >= 400:
            self.done.refused += 1
            raise NoAnswer(f"{path}: {status} {answer}")
        self.done.seconds.append(time.perf_counter() - started)
        self.done.answers += 1
        return answer

    def acknowledge(self, kind: str, *ids: str) -> None:
        """Write down that spans were acknowledged, before anything else is done."""
        self.done.spans += len(ids)
        if self._log is not None:
            self._log.writelines(f"{kind} {one}\n" for one in ids)
            self._log.flush()

    def close(self) -> None:
        """Let go of the connection."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def select(self) -> dict[str, Any]:
        """Ask for the tools of a task."""
        task = self._chance.choice(self._plan["tasks"])
        answer = self.send("/api/v1/selections", {"catalog": self._plan["catalog"], "task": task})
        self.acknowledge("span", answer["id"])
        return answer

    def work(self) -> None:
        """Begin a run, ask for a group, propose a call, tell its result, and how the run ended."""
        selection = self.select()
        groups = [one for one in self._plan["groups"] if one not in selection["groups"]]
        if groups and self._chance.random() < 0.5:
            path = f"/api/v1/selections/{selection['id']}/expansions"
            answer = self.send(path, {"group": self._chance.choice(groups)})
            self.acknowledge("span", answer["id"])
        self._call(selection)
        status = self._chance.choice(("solved", "solved", "failed"))
        path = f"/api/v1/runs/{selection['run_id']}/outcome"
        self.send(path, {"status": status})
        self.acknowledge("outcome", selection["run_id"])

    def tell(self) -> None:
        """Send a batch of spans, again and again until it is acknowledged."""
        batch = list(self._batch())
        body = {"catalog": self._plan["catalog"], "spans": batch}
        while not _stopped:
            try:
                answer = self.send("/api/v1/spans", body)
            except NoAnswer:
                if self.done.refused:
                    raise
                continue
            self.done.refused += len(answer["refused"])
            self.acknowledge("span", *answer["taken"], *answer["known"])
            return

    def _call(self, selection: Mapping[str, Any]) -> None:
        if not selection["tool_names"]:
            return
        tool = self._chance.choice(selection["tool_names"])
        path = f"/api/v1/selections/{selection['id']}/calls"
        body = {"tool": tool, "arguments": {}, "idempotency_key": uuid.uuid4().hex}
        answer = self.send(path, body)
        self.acknowledge("span", answer["id"])
        if answer["decision"] == "allowed" and answer["result"] is None:
            path = f"/api/v1/calls/{answer['id']}/results"
            self.send(path, {"attempt": answer["attempt"], "status": "fatal_error"})
            self.acknowledge("result", answer["id"])

    def _batch(self) -> Iterator[dict[str, Any]]:
        for _ in range(BATCH // 4):
            now = datetime.now(UTC).isoformat()
            run = {"run_id": f"told-{uuid.uuid4().hex}", "time": now}
            group = self._chance.choice(list(self._plan["groups"]))
            another = self._chance.choice(list(self._plan["groups"]))
            selection = str(uuid.uuid4())
            yield run | {
                "id": selection,
                "name": "tool_route",
                "groups": [group],
                "offered": self._plan["groups"][group],
                "confidence": round(self._chance.random(), 4),
                "confidence_source": "shipped",
                "strategy": "auto",
                "decided_by": "embedding",
                "latency_us": self._chance.randrange(500, 9000),
                "task": self._chance.choice(self._plan["tasks"]),
            }
            for asked in (another, group):
                yield run | {
                    "id": str(uuid.uuid4()),
                    "name": "tool_route_expand",
                    "selection": selection,
                    "group": asked,
                    "offered": self._plan["groups"][asked],
                }
            yield run | {
                "id": str(uuid.uuid4()),
                "name": "outcome",
                "selection": selection,
                "status": "solved",
            }

    def _answer(self, path: str, body: Mapping[str, Any]) -> tuple[int, dict[str, Any]]:
        if self._connection is None:
            self._connection = http.client.HTTPConnection(
                self._plan["host"], self._plan["port"], timeout=_TIMEOUT
            )
        headers = {
            "Authorization": f"Bearer {os.environ['TOOLCRIB_KEY']}",
            "Content-Type": "application/json",
        }
        self._connection.request("POST", path, json.dumps(body), headers)
        response = self._connection.getresponse()
        return response.status, json.loads(response.read())


_stopped: list[int] = []


def _stop(signum: int, frame: FrameType | None) -> None:
    _stopped.append(signum)


def post(poster: Poster, step: Callable[[], object], *, until: float) -> None:
    """Do the same again and again until a time of the clock, or until the process is to stop."""
    while not _stopped and time.monotonic() < until:
        try:
            step()
        except NoAnswer as error:
            if poster.done.refused:
                raise RuntimeError(str(error)) from error


def main() -> None:
    """Send what the plan says."""
    signal.signal(signal.SIGTERM, _stop)
    plan = json.load(sys.stdin)
    log = open(plan["log"], "a", encoding="utf-8") if plan["log"] else None  # noqa: PTH123, SIM115
    poster = Poster(plan, log)
    steps = {"select": poster.select, "work": poster.work, "tell": poster.tell}
    started = time.monotonic()
    post(poster, steps[plan["kind"]], until=started + plan["seconds"])
    poster.close()
    if log is not None:
        log.close()
    done = poster.done
    json.dump(
        {
            "answers": done.answers,
            "spans": done.spans,
            "unanswered": done.unanswered,
            "elapsed": time.monotonic() - started,
            "seconds": done.seconds,
        },
        sys.stdout,
    )


if __name__ == "__main__":
    main()
