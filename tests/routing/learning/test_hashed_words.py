"""A regression over hashed words tells tools by what only their tasks say."""

from __future__ import annotations

import numpy as np

from routing.learning.hashed_words import FEWEST_TASKS, fit_words
from routing.learning.mixing import TERMS, Seen, fit_mixing, with_or_without_words
from routing.selection.arrays import FloatArray, IntArray
from routing.selection.hashed_words import buckets_of
from routing.selection.mixing import Learned

SAID = ("refund the order", "book a table", "play some music")
ENDS = ("please", "now", "today", "for me")
TASKS = [f"{said} {end}" for said in SAID for end in ENDS]
SHARES = np.repeat(np.eye(3, dtype=np.float32), len(ENDS), axis=0)


def test_words_draw_to_the_tool_whose_tasks_said_them() -> None:
    words = fit_words(TASKS, SHARES, language="english", seed=0)

    pulls = words.pulls(["playing music in the kitchen", "a table, booked", "Refund orders!"])

    assert pulls.argmax(axis=1).tolist() == [2, 1, 0]
    some = words.of(np.array([2, 0], dtype=np.intp))
    np.testing.assert_array_equal(some.pulls(TASKS), words.pulls(TASKS)[:, [2, 0]])


def test_what_few_tasks_say_is_not_kept() -> None:
    repeated = [*TASKS, *["the secret is zanzibar"] * 9]
    shares = np.vstack([SHARES, np.tile(SHARES[:1], (9, 1))])

    words = fit_words(repeated, shares, language="english", seed=0)

    # Nine times the same task is one task.
    assert not set(buckets_of("zanzibar", "english").tolist()) & set(words.known.tolist())
    assert not words.pulls(["zanzibar"]).any()
    few = fit_words(
        TASKS[: FEWEST_TASKS - 1], SHARES[: FEWEST_TASKS - 1], language="english", seed=0
    )
    assert not len(few.known)
    assert few.pulls(["refund the order"]).shape == (1, 3)


def test_a_task_that_says_much_else_is_drawn_less() -> None:
    words = fit_words(TASKS, SHARES, language="english", seed=0)

    alone, among = words.pulls(
        ["play some music", "play some music while zebras eat quantum cheese outside"]
    )

    assert 0 < among.max() < alone.max()


def test_scripts_without_spaces_are_read_by_character() -> None:
    one, both = (set(buckets_of(text, "english").tolist()) for text in ("\u9000\u6b3e", "\u6b3e"))
    assert one & both


def test_words_that_say_nothing_beside_the_rest_are_left_out() -> None:
    chance = np.random.default_rng(0)
    taken: IntArray = chance.integers(0, 3, size=200)
    right = np.eye(3, dtype=np.float32)[taken]
    noise: FloatArray = chance.normal(size=(200, 3)).astype(np.float32)

    def seen(words: FloatArray) -> Seen:
        return Seen(
            learned=Learned(
                untrained=noise,
                tools=np.arange(3),
                counts=np.full(3, 9),
                logistic=3 * right + noise,
                nearness=np.zeros((200, 3), dtype=np.float32),
                words=words,
                lengths=np.ones(200, dtype=np.float32),
                several=np.zeros(200, dtype=np.bool_),
            ),
            shares=right,
        )

    against, [deaf] = with_or_without_words([seen(-right)])
    useful, [heard] = with_or_without_words([seen(right + 0.1 * noise[::-1])])

    assert against.words == 0
    assert not deaf.learned.words.any()
    assert useful.words > 0.5
    assert heard.learned.words.any()
    assert all(getattr(fit_mixing([seen(right)]), name) >= 0 for name in TERMS)
