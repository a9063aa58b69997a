"""What is measured: the selection core, and the calls of other libraries that stand beside it.

A subject takes a task and answers with tools. Everything that can be made beforehand is: indexes
are built and the vectors of tasks are in memory, for all alike.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from routing.evaluation.catalogs import MAX_TOOLS
from routing.management.benchmarking.vectors import Kept, MadeVectors
from routing.selection import (
    Circumstances,
    Index,
    Query,
    Strategy,
    compile_index,
    select,
    texts_to_embed,
)
from routing.selection.evidence import counted
from routing.selection.ranking import best_of_all
from routing.selection.task_vectors import task_vectors
from routing.selection.text import bounded, terms
from routing.selection.texts import first_groups, tool_texts

Document = Mapping[str, Any]
Subject = Callable[[str], object]


class NotInstalled(LookupError):
    """A library to compare with is missing."""


@dataclass(frozen=True, slots=True)
class Rival:
    """A library to compare with: how it is built, and which of our answers does what it does.

    ``beside`` does the same and no more. ``whole`` does that and a whole selection around it: the
    library is compared with it too, ``None`` where it is not.
    """

    name: str
    beside: str
    whole: str | None
    build: Callable[[Document, Sequence[str], MadeVectors], Subject]


def own_subjects(document: Document, encoder: MadeVectors) -> dict[str, Subject]:
    """Return the core as it answers by words alone, and by words and meaning.

    ``retrieval`` is BM25 and its best tools alone, ``vectors`` the cosines and theirs, each by the
    code that a selection goes through and without anything that it is beside.
    """
    words = compile_index(document, encoder=None, vectors={})
    meaning = compiled(document, encoder)
    return {
        "retrieval": _retrieving(words),
        "vectors": _comparing(meaning),
        "words": answering(words, Strategy.EMBEDDING),
        "embedding": answering(meaning, Strategy.EMBEDDING),
        "auto": answering(meaning, Strategy.AUTO),
    }


def compiled(document: Document, encoder: MadeVectors) -> Index:
    """Return the index of a document with the vectors of all its texts."""
    texts = texts_to_embed(document)
    vectors = dict(zip(texts, encoder.encode(list(texts.values())), strict=True))
    return compile_index(document, encoder=encoder, vectors=vectors)


def answering(index: Index, strategy: Strategy) -> Subject:
    """Return the selection of a strategy for a task."""
    now = Circumstances()
    return lambda task: select(Query(task=task, strategy=strategy), index, now)


def _retrieving(index: Index) -> Subject:
    def retrieve(task: str) -> object:
        scores = index.tool_lexicon.scores(counted(terms(bounded(task)), index.language))
        return best_of_all(scores / (scores.max() or 1), index.rank, MAX_TOOLS)

    return retrieve


def _comparing(index: Index) -> Subject:
    vectors = index.vectors
    if vectors is None:
        raise ValueError("The index has no vectors.")

    def compare(task: str) -> object:
        read = vectors.head.tasks(task_vectors(index, task, (), ())[:, : vectors.width])
        return best_of_all(vectors.tools.cosines(read)[0], index.rank, MAX_TOOLS)

    return compare


def texts_of(document: Document) -> dict[str, str]:
    """Return what other libraries read of each tool, by its name."""
    homes = first_groups(document)
    return {
        tool["name"]: tool_texts(tool, homes.get(tool["name"]))[0] for tool in document["tools"]
    }


def _bm25s(document: Document, tasks: Sequence[str], encoder: MadeVectors) -> Subject:
    """Return the retrieval of bm25s, the split of the task into terms included."""
    bm25s = _imported("bm25s")
    logging.getLogger("bm25s").setLevel(logging.WARNING)
    texts = texts_of(document)
    retriever = bm25s.BM25(corpus=list(texts))
    retriever.index(bm25s.tokenize(list(texts.values()), show_progress=False), show_progress=False)
    count = min(MAX_TOOLS, len(texts))

    def retrieve(task: str) -> object:
        terms = bm25s.tokenize([task], show_progress=False)
        return retriever.retrieve(terms, k=count, show_progress=False)

    return retrieve


def _bigtool(document: Document, tasks: Sequence[str], encoder: MadeVectors) -> Subject:
    """Return the retrieval tool of langgraph-bigtool over its store in memory."""
    tools = _imported("langgraph_bigtool.tools")
    put = _imported("langgraph.store.base").PutOp
    in_memory = _imported("langgraph.store.memory").InMemoryStore
    texts = texts_of(document)
    kept = Kept([*texts.values(), *tasks], encoder)
    place = ("tools",)
    store = in_memory(
        index={"dims": encoder.dimensions(), "embed": kept, "fields": ["description"]}
    )
    store.batch([put(place, name, {"description": text}) for name, text in texts.items()])
    retrieve, _ = tools.get_default_retrieval_tool(place, limit=MAX_TOOLS)
    return lambda task: retrieve(task, store=store)


def _semantic_router(document: Document, tasks: Sequence[str], encoder: MadeVectors) -> Subject:
    """Return the choice of semantic-router, one route a tool."""
    route = _imported("semantic_router").Route
    encoders = _imported("semantic_router.encoders")
    router_of = _imported("semantic_router.routers").IndexedRouter
    texts = texts_of(document)
    kept = Kept([*texts.values(), *tasks], encoder)

    class InMemory(encoders.DenseEncoder):  # type: ignore[misc, name-defined]
        def __call__(self, docs: list[Any]) -> list[list[float]]:
            return kept(docs)

        async def acall(self, docs: list[Any]) -> list[list[float]]:
            return kept(docs)

    routes = [route(name=name, utterances=[text]) for name, text in texts.items()]
    router = router_of(encoder=InMemory(name="in memory"), routes=routes, top_k=MAX_TOOLS)
    return lambda task: router(task, limit=MAX_TOOLS)


def _imported(module: str) -> Any:
    try:
        return import_module(module)
    except ImportError as error:
        raise NotInstalled(module) from error


RIVALS = (
    Rival(name="bm25s", beside="retrieval", whole=None, build=_bm25s),
    Rival(name="langgraph-bigtool", beside="vectors", whole="embedding", build=_bigtool),
    Rival(name="semantic-router", beside="vectors", whole="embedding", build=_semantic_router),
)
