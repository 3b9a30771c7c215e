"""Packages that are not installed with Homing itself, but with one of its extras.

Fitting needs scipy or scikit-learn, the lab needs scipy: five times the size of everything else. Fitted
judges and strategies run without them.

>>> check_installed("no_such_package", extra="lab", purpose="the lab")
Traceback (most recent call last):
homing.errors.UsageError: the lab needs no_such_package: pip install 'homing[lab]'
"""

from __future__ import annotations

from importlib.util import find_spec

from homing.errors import UsageError
from homing.parameters import Part

_PROJECTS = {"sklearn": "scikit-learn"}
"""Packages whose project has another name."""


def check_can_fit(part: type[Part]) -> None:
    """Raise an error for a strategy or a judge that is fitted by a package that is not installed."""
    if part.fitted_by:
        check_installed(part.fitted_by, extra="train", purpose=f'to fit the {part.kind} "{part.name}" Homing')


def check_installed(package: str, *, extra: str, purpose: str) -> None:
    """Raise an error that names the extra to install, if a package is missing."""
    if find_spec(package) is None:
        name = _PROJECTS.get(package, package)
        raise UsageError(f"{purpose} needs {name}: pip install 'homing[{extra}]'")
