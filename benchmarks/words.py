"""English words in their natural frequencies, for pages that are made up."""

import bisect
import itertools
import random

from wordfreq import top_n_list


class Words:
    """Draws words by Zipf's law: the n-th most frequent has a share of about 1/n."""

    def __init__(self) -> None:
        self.words = top_n_list("en", 5_000)
        self.sums = list(itertools.accumulate(1 / (rank + 10) for rank in range(len(self.words))))

    def draw(self, dice: random.Random, count: int) -> str:
        picks = (bisect.bisect(self.sums, dice.random() * self.sums[-1]) for _ in range(count))
        return " ".join(self.words[min(pick, len(self.words) - 1)] for pick in picks)
