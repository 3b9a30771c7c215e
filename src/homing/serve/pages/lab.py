"""The runs of the lab: tables and pictures that ``homing lab run`` wrote. Read only."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated

from fastapi import APIRouter, HTTPException, Query, Request, Response
from fastapi.responses import FileResponse

from homing.errors import HomingError
from homing.lab.results.compare import against
from homing.lab.results.file import FILE, Results
from homing.lab.results.tables import comparison_sheet, summary_sheet
from homing.lab.results.timings import Timings
from homing.serve.crawl.crawl_folder import CrawlFolder
from homing.serve.pages.templating import Renderer

_PICTURES = "pictures"


def routes(renderer: Renderer, folder: CrawlFolder, labs: Sequence[Path]) -> APIRouter:
    """Return the routes of ``/lab`` and below."""
    router = APIRouter(prefix="/lab", include_in_schema=False)
    parent = folder.root.resolve().parent

    def found(name: str) -> Path:
        place = runs_in(parent, labs).get(name)
        if place is None:
            raise HTTPException(404, f"there is no run {name} of the lab here")
        return place

    @router.get("")
    def runs(request: Request) -> Response:
        read = {name: _read(place) for name, place in runs_in(parent, labs).items()}
        return renderer.page(request, "lab.html", {"runs": read})

    @router.get("/{name}")
    def run(request: Request, name: str, baseline: Annotated[str, Query(max_length=200)] = "") -> Response:
        place = found(name)
        results = Results.read(place)
        compared = against(results.rows, baseline, clusters=results.clusters) if baseline else None
        comparisons = results.comparisons if compared is None else compared
        context = {
            "name": name,
            "results": results,
            "baseline": comparisons[0].against if comparisons else baseline,
            "strategies": [each.name for each in results.summary if not each.is_limit],
            "summary": summary_sheet(results, Timings.read(place)),
            "comparison": comparison_sheet(comparisons) if comparisons else None,
            "pictures": sorted(path.name for path in (place / _PICTURES).glob("*.svg")),
        }
        return renderer.page(request, "lab_run.html", context)

    @router.get("/{name}/pictures/{picture}")
    def picture(name: str, picture: str) -> Response:
        drawn = {path.name: path for path in (found(name) / _PICTURES).glob("*.svg")}
        if picture not in drawn:
            raise HTTPException(404, f"the run {name} has no picture {picture}")
        return FileResponse(drawn[picture], media_type="image/svg+xml")

    return router


def runs_in(parent: Path, labs: Sequence[Path]) -> Mapping[str, Path]:
    """Return the runs by name: those named, and those beside the crawl folder. Equal names get a number."""
    places = dict.fromkeys(path.resolve() for path in labs)
    places |= dict.fromkeys(path.parent for path in sorted(parent.glob(f"*/{FILE}")))
    names: dict[str, Path] = {}
    for place in places:
        same = sum(each.name == place.name for each in names.values())
        names[f"{place.name}-{same + 1}" if same else place.name] = place
    return names


def _read(place: Path) -> Results | str:
    """Return the results of a run, or why they cannot be read."""
    try:
        return Results.read(place)
    except HomingError as error:
        return str(error)
