"""The judge ``svm``: a linear support vector machine on the words of pages."""

from __future__ import annotations

import importlib
import warnings
from typing import ClassVar

import numpy as np

from homing.extras import check_can_fit
from homing.judge.trained.base import TrainedJudge
from homing.judge.trained.calibration import ScorePrior
from homing.judge.trained.feature_matrix import FeatureMatrix
from homing.judge.trained.linear import Linear, Scorer
from homing.judge.trained.training_set import TrainingSet
from homing.parameters import parameter


class Svm(TrainedJudge):
    """Draws the line with the widest gap between pages on the topic and all others (linear SVM).

    Made-up pages of ordinary text, drawn from the language's word counts, stand on the other side where
    negatives are few or none; with more negatives they matter less. Both sides weigh the same, whatever
    their numbers. Chances come from pages held out (Platt 1999).

    Examples
    --------
    >>> from homing.judge.base import Brief
    >>> from homing.model import Page
    >>> on = Page(url="http://a.example/", text="Moths and butterflies drink nectar.")
    >>> off = Page(url="http://b.example/", text="The trains are late again.")
    >>> new = Page(url="http://c.example/", text="Butterflies have scales.")
    >>> judge = Svm(Brief(examples=(on,), negatives=(off,)))
    >>> judge.judge(new).relevant, judge.judge(off).relevant
    (True, False)

    References
    ----------
    Joachims 1998, Text categorization with support vector machines. Platt 1999, Probabilistic outputs for
    support vector machines: we regularise his curve towards that of other topics, as users give few pages.
    """

    name = "svm"
    fitted_by = "sklearn"
    paper: ClassVar[str] = "Joachims 1998, Text categorization with support vector machines"
    score_prior: ClassVar[ScorePrior] = ScorePrior(halfway=10.0, spread=0.3)

    cost: float = parameter(
        "What a page on the wrong side of the line costs: lower allows more of them, for a wider gap (C).",
        default=1.0,
        within=(1e-4, 1e4),
    )

    def fit(self, training_set: TrainingSet) -> Scorer:
        check_can_fit(type(self))
        # Takes a second to import, and is installed for training alone.
        svm = importlib.import_module("sklearn.svm")
        matrix = FeatureMatrix.of(training_set)
        machine = svm.LinearSVC(C=self.cost, random_state=0, max_iter=5000)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # at a high cost it stops unconverged, which hardly matters
            machine.fit(matrix.rows, matrix.truth, sample_weight=matrix.weights)
        weights = np.asarray(machine.coef_[0]) * matrix.scales
        return Linear(dict(zip(matrix.terms, weights.tolist(), strict=True)), float(machine.intercept_[0]))
