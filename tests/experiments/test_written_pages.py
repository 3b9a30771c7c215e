"""The pages in docs/ have the words of the programs that write them, where these need no runs."""

from pathlib import Path

from experiments.adaptive import page as adaptive_page
from experiments.claims import CLAIMS

from experiments import results_page

DOCS = Path(__file__).parents[2] / "docs"


def test_the_page_on_adaptive_begins_with_its_text_and_the_prior_weights() -> None:
    text = "\n".join([adaptive_page.TEXT.read_text(), *adaptive_page._features()])
    assert (DOCS / "adaptive.md").read_text().startswith(text)


def test_the_page_of_results_has_its_introduction_and_every_explanation() -> None:
    page = (DOCS / "results.md").read_text()
    assert page.startswith(next(results_page._page({}, {})))
    assert [claim.says for claim in CLAIMS if claim.explanation not in page] == []
