"""Parameters of strategies and judges, each declared once, as a field of its class.

.. code-block:: python

    class Damped(Strategy):
        damping: float = parameter("How much credit is passed on.", default=0.85, within=(0, 1))

    Damped(damping=0.9)

The annotation says which values fit, and ``within`` bounds numbers. The constructor, its errors,
``homing strategies``, the web form and the documentation all read the field. To a type checker the class
is a dataclass.
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import NoneType
from typing import (
    ClassVar,
    Generic,
    Literal,
    Self,
    TypeVar,
    cast,
    dataclass_transform,
    get_args,
    get_origin,
    get_type_hints,
    overload,
)

from homing.conversion import convert
from homing.errors import UsageError, did_you_mean

T = TypeVar("T")
Given = TypeVar("Given")
Kept = TypeVar("Kept")
Range = tuple[float, float]

_ANY_NUMBER = (-math.inf, math.inf)


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """A parameter as its class declares it."""

    help: str
    default: object
    within: Range = _ANY_NUMBER
    alias: str = ""

    def read(self, value: object, hint: object) -> object:
        """Return the value as the type annotated; ``ValueError`` says what is expected."""
        try:
            read = convert(value, hint)
        except ValueError as wanted:
            raise ValueError(f"{wanted}, not {value!r}") from None
        low, high = self.within
        if isinstance(read, int | float) and not low <= read <= high:
            wanted_range = f"from {low:g} to {high:g}" if math.isfinite(high) else f"at least {low:g}"
            raise ValueError(f"{wanted_range}, not {read:g}")
        return read


def parameter(
    help: str,  # noqa: A002  (a text to be read, as elsewhere)
    *,
    default: T,
    within: Range = _ANY_NUMBER,
    alias: str = "",
) -> T:
    """Declare a parameter. ``alias`` is the name users set it by, if not that of the attribute."""
    return cast(T, Field(help=help, default=default, within=within, alias=alias))


class Argument(Generic[Given, Kept]):
    """A positional argument of a constructor, converted before it is kept."""

    def __init__(self, keep: Callable[[Given], Kept], *, kw_only: Literal[False] = False) -> None:
        self._keep = keep

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    @overload
    def __get__(self, part: None, owner: type) -> Self: ...
    @overload
    def __get__(self, part: object, owner: type) -> Kept: ...
    def __get__(self, part: object, owner: type) -> Self | Kept:
        if part is None:
            return self
        kept: Kept = vars(part)[self._name]
        return kept

    def __set__(self, part: object, given: Given) -> None:
        vars(part)[self._name] = self._keep(given)


@dataclass_transform(kw_only_default=True, field_specifiers=(parameter, Argument))
class Part:
    """The base of strategies and judges: the description of a class, and its parameters."""

    kind: ClassVar[str] = ""
    """``strategy`` or ``judge``."""
    name = ""
    """The short name that users give."""
    summary: ClassVar[str] = ""
    """The first line of the docstring."""
    paper: ClassVar[str] = ""
    """The source of the method."""
    needs_training: ClassVar[bool] = False
    """Whether it works better with a model trained beforehand."""
    fitted_by: ClassVar[str] = ""
    """The package needed for fitting, if it comes with the extra ``train``."""

    _fields: ClassVar[Mapping[str, Field]] = {}
    """The parameters by attribute, those of the class before those of its bases."""
    __signature__: ClassVar[inspect.Signature]

    def __init_subclass__(cls, **options: object) -> None:
        super().__init_subclass__(**options)
        cls.summary = first_line(cls)
        own = {name: value for name, value in vars(cls).items() if isinstance(value, Field)}
        for attribute, field in own.items():
            setattr(cls, attribute, field.default)
        fields = dict(own)
        for base in cls.__mro__[1:]:
            if issubclass(base, Part):
                fields |= {name: field for name, field in base._fields.items() if name not in fields}
        cls._fields = fields
        cls.__signature__ = _signature(cls)

    def __init__(self, **parameters: object) -> None:
        values = read_parameters(type(self), fields_of(type(self)), parameters)
        for attribute, field in self._fields.items():
            setattr(self, attribute, values.get(field.alias or attribute, field.default))
        self.__post_init__()

    def __post_init__(self) -> None:
        """Build what depends on the parameters; a subclass calls ``super().__post_init__()`` first."""


def parameters_of(part: type) -> dict[str, Field]:
    """Return what users can set, by name: fields, or the keywords of a constructor of the class's own."""
    fields = fields_of(part) if issubclass(part, Part) else {}
    keywords = [
        each for each in inspect.signature(part).parameters.values() if each.kind is each.KEYWORD_ONLY
    ]
    return {each.name: fields.get(each.name) or Field(help="", default=each.default) for each in keywords}


def text_parameters(part: type[Part]) -> frozenset[str]:
    """Return the parameters that take any text, such as a path, rather than a number or one of some words."""
    hints = _hints(part)
    return frozenset(name for name in parameters_of(part) if _takes_text(hints.get(name, str)))


def fields_of(part: type[Part]) -> dict[str, Field]:
    """Return the fields of a class by the names that users set them by."""
    return {field.alias or attribute: field for attribute, field in part._fields.items()}


def read_parameters(
    part: type[Part], known: Mapping[str, Field], given: Mapping[str, object]
) -> dict[str, object]:
    """Return parameters converted to their types and checked; ``UsageError`` says in one line what is wrong.

    Values may be text (``--set flatness=3``) or values of TOML; names may have hyphens.
    """
    title = f'{part.kind} "{part.name}"'
    hints = _hints(part) if given else {}
    values = {}
    for key, value in given.items():
        name = key.replace("-", "_")
        if name not in known:
            raise UsageError(f'{title} has no parameter "{key}"{did_you_mean(name, known)}')
        try:
            values[name] = known[name].read(value, hints.get(name, str))
        except ValueError as wanted:
            raise UsageError(f'{title}: "{name}" must be {wanted}') from None
    return values


def first_line(part: type) -> str:
    """Return the first line of a class's own docstring.

    >>> first_line(Field)
    'A parameter as its class declares it.'
    """
    lines = (part.__doc__ or "").strip().splitlines()
    return lines[0].strip() if lines else ""


def _takes_text(hint: object) -> bool:
    if get_origin(hint) is Literal or hint in (int, float, bool, NoneType, ...):
        return False
    inner = get_args(hint)
    return any(map(_takes_text, inner)) if inner else True


def _signature(part: type[Part]) -> inspect.Signature:
    """Return the signature of a class, with its fields in place of ``**parameters``."""
    taken = list(inspect.signature(part.__init__).parameters.values())[1:]
    if taken and taken[-1].kind is inspect.Parameter.VAR_KEYWORD:
        taken[-1:] = [
            inspect.Parameter(field.alias or attribute, inspect.Parameter.KEYWORD_ONLY, default=field.default)
            for attribute, field in part._fields.items()
        ]
    return inspect.Signature(taken)


def _hints(part: type[Part]) -> dict[str, object]:
    """Return the type of each parameter."""
    of_attributes = get_type_hints(part)
    fields = {field.alias or name: of_attributes[name] for name, field in part._fields.items()}
    return {**get_type_hints(part.__init__), **fields}
