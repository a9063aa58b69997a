"""WordLlama: a table of a vector for each token of a large language model. It knows English only.

Its wheel carries the table and the tokenizer. They are read from the files: the package's own
loader asks the network first, and importing it configures everybody's logging.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

import numpy as np

from routing.selection.arrays import FloatArray
from routing.selection.encoders import EncoderNotInstalled, Legs

_TABLE = Path("weights") / "l2_supercat_256.safetensors"
_TOKENIZER = Path("tokenizers") / "l2_supercat_tokenizer_config.json"
_UNKNOWN = 0


class WordLlama:
    """The mean of the vectors of a text's tokens, 256 dimensions."""

    name = "wordllama"
    legs: Legs = (("wordllama", slice(0, 256)),)

    def __init__(self) -> None:
        folder = _installed_at()
        # It comes with the package that carries the table.
        from tokenizers import Tokenizer  # noqa: PLC0415

        self._table = read_table(folder / _TABLE)
        self._tokenizer = Tokenizer.from_file(str(folder / _TOKENIZER))
        self._tokenizer.no_padding()
        self._tokenizer.no_truncation()

    def dimensions(self) -> int:
        """Return the length of a vector."""
        return 256

    def encode(self, texts: Sequence[str]) -> FloatArray:
        """Return one L2-normalised vector a text, shape ``(len(texts), 256)``."""
        vectors = np.zeros((len(texts), self.dimensions()), dtype=np.float32)
        read = self._tokenizer.encode_batch(list(texts), add_special_tokens=False)
        for row, tokens in enumerate(read):
            # A text without a token still needs a direction.
            ids = np.minimum(tokens.ids or [_UNKNOWN], len(self._table) - 1)
            vectors[row] = self._table[ids].mean(axis=0)
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        return np.asarray(vectors / np.maximum(lengths, np.float32(1e-12)), dtype=np.float32)


def read_table(path: Path) -> FloatArray:
    """Return the one array of a safetensors file as float32.

    The format is eight bytes of length, a JSON header of that length, and the bytes of the arrays.
    """
    content = path.read_bytes()
    length = int.from_bytes(content[:8], "little")
    header = json.loads(content[8 : 8 + length])
    [array] = [value for name, value in header.items() if name != "__metadata__"]
    begin, end = array["data_offsets"]
    stored = {"F16": "<f2", "F32": "<f4"}[array["dtype"]]
    values = np.frombuffer(content[8 + length + begin : 8 + length + end], dtype=stored)
    return values.reshape(array["shape"]).astype(np.float32)


def _installed_at() -> Path:
    found = find_spec("wordllama")
    if found is None or not found.submodule_search_locations:
        raise EncoderNotInstalled(
            "WordLlama is not installed: install the extra “wordllama” (pip install "
            "'toolcrib[wordllama]', or the package wordllama)."
        )
    return Path(found.submodule_search_locations[0])
