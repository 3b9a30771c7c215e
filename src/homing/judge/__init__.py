"""Judges: how much is a page about the topic?

Begin with ``base``: ``Judge`` rates pages and short texts from 0 to 1, relevant from one half on, and
``Brief`` is what a user may say of the topic. Each judge has a file of its own: ``keywords`` and ``decimal``
need only words or codes; ``examples``, ``bayes``, ``svm`` and ``neural`` are trained on pages, and share
``trained/``. In ``words/`` is what ``keywords`` is built on; ``model_files`` writes and reads trained judges.

>>> judge = JUDGES.get("keywords")("butterflies, moths")
>>> judge.rate(["a guide to butterflies", "contact us"])
[0.69..., 0.0]
"""

from homing.judge.base import Brief, Judge
from homing.registry import Registry

JUDGES: Registry[Judge] = Registry(
    "judge",
    group="homing.judges",
    builtin={
        "keywords": "homing.judge.keywords:Keywords",
        "examples": "homing.judge.examples:Examples",
        "bayes": "homing.judge.bayes:Bayes",
        "svm": "homing.judge.svm:Svm",
        "neural": "homing.judge.neural:Neural",
        "decimal": "homing.judge.decimal:Decimal",
    },
)
"""Every judge by its short name, loaded on demand; one line here is all it takes to add one."""

__all__ = ["JUDGES", "Brief", "Judge"]


def __getattr__(name: str) -> type[Judge]:
    """Load a judge when its class is imported from here: ``from homing.judge import Keywords``."""
    return JUDGES.find_class(name)
