"""The judge ``examples``: cosine similarity to the example pages."""

from __future__ import annotations

from typing import ClassVar, Literal

from homing.judge.trained.base import TrainedJudge
from homing.judge.trained.calibration import Calibration, ScorePrior, expected, for_pages
from homing.judge.trained.centroid import centroid, mean
from homing.judge.trained.held_out import HeldOut
from homing.judge.trained.linear import Linear, Nearest, Scorer
from homing.judge.trained.plain_data import damaged
from homing.judge.trained.training_set import TrainingSet
from homing.parameters import parameter
from homing.text.vectors import unit


class Examples(TrainedJudge):
    """Compares a page with the example pages: the cosine to their centroid, or to the nearest of them.

    Terms are weighed by their rarity in ordinary text, as there is no collection to count them in yet, and
    what ordinary pages share is taken out of the examples. Pages known to be off the topic, and
    unlabelled ones that are unlike it, make ordinary text more like the web at hand. The threshold is
    where the examples themselves lie, each compared with the others; see ``trained/calibration.py``.

    Examples
    --------
    >>> from homing.judge.base import Brief
    >>> from homing.model import Page
    >>> moths = Page(url="http://a.example/", text="Moths and butterflies drink nectar from flowers.")
    >>> wings = Page(url="http://b.example/", text="The wings of butterflies and moths have scales.")
    >>> judge = Examples(Brief(examples=(moths, wings)))
    >>> judge.judge(Page(url="http://c.example/", text="Butterflies have scales and drink nectar.")).relevant
    True
    >>> judge.judge(Page(url="http://d.example/", text="The trains to the coast are late again.")).relevant
    False

    References
    ----------
    Liu, Milios 2012, Probabilistic models for focused web crawling. With ``compare="max"``,
    ``weights="tf"`` and a ``gamma`` this is their judge. The centroid told topics apart better on real
    webs, and stop words are left out, which would make most of a plain cosine.
    """

    name = "examples"
    needs_training: ClassVar[bool] = False
    score_prior: ClassVar[ScorePrior] = ScorePrior(halfway=7.5, spread=0.25)
    paper: ClassVar[str] = "Liu, Milios 2012, Probabilistic models for focused web crawling"

    compare: Literal["centroid", "max"] = parameter(
        'With the "centroid" of the examples, or the "max" of the cosines to each.',
        default="centroid",
    )
    weights: Literal["tf-idf", "tf"] = parameter(
        '"tf-idf": the logarithm of the count by the rarity of the term, less ordinary text. "tf": the '
        "plain count of each term.",
        default="tf-idf",
    )
    gamma: float | None = parameter(
        "The cosine from which on a page is relevant; found from the examples if left out.",
        default=None,
        within=(0, 1),
    )
    promote: float = parameter(
        "Unlabelled pages whose cosine to an example is at least this count as examples too.",
        default=0.8,
        within=(0, 1),
    )

    def training_set(self) -> TrainingSet:
        return TrainingSet.of(self.brief, self.name, plainly=self.weights == "tf", promote=self.promote)

    def fit(self, training_set: TrainingSet) -> Scorer:
        vectors = [page.vector for page in training_set.positives]
        groups = [vectors] if self.compare == "centroid" else [[vector] for vector in vectors]
        if self.weights == "tf":
            topics = [unit(mean(group)) for group in groups]
        else:
            topics = [centroid(group, training_set.ordinary) for group in groups]
        return Linear(topics[0]) if self.compare == "centroid" else Nearest(topics)

    def calibrate(self, held: HeldOut) -> Calibration:
        score_prior = self.score_prior
        if self.compare == "max":  # with more examples a new page comes only a little nearer to the nearest
            score_prior = ScorePrior(halfway=4.5 * (held.examples + 1), spread=0.45)
        if self.gamma is None:
            return for_pages(held, score_prior)
        slope = expected(held, score_prior).slope
        return Calibration(slope, -slope * self.gamma)

    def scorer_from(self, state: object) -> Scorer:
        if self.compare not in ("centroid", "max"):
            raise damaged('"compare" is neither "centroid" nor "max"')
        return Linear.from_state(state) if self.compare == "centroid" else Nearest.from_state(state)
