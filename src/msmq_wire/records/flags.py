"""Flags words: integers that consist of bit groups.

1. A word is an `int`; each bit group is an attribute that is computed when it is read.
2. A word created from some groups stores which were given, so that a record can compute the others.
3. Words are cached.  The cache is bounded, because senders choose the words.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Self, cast

from msmq_wire.values.errors import EncodeError, wrong_value
from msmq_wire.values.hooks import import_layouts

if TYPE_CHECKING:
    from . import model as layout


class _Partial:
    """The class of words with some given groups, which is created when it is first needed."""

    def __get__(self, word: Any, cls: Any) -> Any:
        members = {"__module__": cls.__module__, "whole": classmethod(lambda _: cls)}
        cls.partial = type(cls.__name__, (cls,), members)
        return cls.partial


class _Kind:
    """The bit groups of a flags word, which are imported when they are first read."""

    def __get__(self, word: Any, cls: Any) -> Any:
        cls.kind = getattr(import_layouts(), cls.structure).flags(cls.field)
        return cls.kind


class Flags(int):
    """A word of bit groups: an `int`, and each group an attribute.

    ``UserHeaderFlags(0x281C00).DQ`` is 7.  Made from groups, ``UserHeaderFlags(DM=1)``, the word remembers
    which groups were given, so that a record can fill in the others from its contents.
    """

    __slots__ = ()
    kind: ClassVar[layout.Flags] = cast("layout.Flags", _Kind())
    structure: ClassVar[str]
    field: ClassVar[str]
    defaults: ClassVar[int]
    partial: ClassVar[Any] = _Partial()
    cache: ClassVar[dict[int, Any]]
    open_words: ClassVar[dict[int, Any]]
    groups: ClassVar[dict[int, dict[str, int]]]

    def __new__(cls, value: int | None = None, /, **groups: int) -> Self:
        """Make a word from a number, from groups, or from a number with some groups changed.

        Raises:
            EncodeError: A group does not exist or its value does not fit, or the number does not fit.
        """
        if value is not None:
            size = cls.kind.size
            if not isinstance(value, int) or not 0 <= value < 1 << size * 8:
                raise cls._misfit(cls.field, size * 8, value)
            if not groups:
                return cls.cache[value] if value in cls.cache else int.__new__(cls, value)
            return int.__new__(cls, cls._pack(value, groups)[0])
        word, given = cls._pack(cls.defaults, groups)
        return cls._partial(word, given)

    @classmethod
    def _partial(cls, word: int, given: int) -> Self:
        word_value: Self = int.__new__(cls.partial, word)
        word_value.__dict__["given"] = given
        return word_value

    @classmethod
    def _pack(cls, word: int, groups: dict[str, int]) -> tuple[int, int]:
        given = 0
        for name, value in groups.items():
            group = next((item for item in cls.kind.groups if item.name == name), None)
            if group is None:
                names = ", ".join(item.name for item in cls.kind.groups)
                raise EncodeError(
                    f"{cls.__name__} has no group {name}",
                    structure=cls.structure,
                    path=f"{cls.structure}.{cls.field}.{name}",
                    expected=names,
                    actual=name,
                )
            if not isinstance(value, int) or not 0 <= value < 1 << group.width:
                raise cls._misfit(f"{cls.field}.{name}", group.width, value)
            word = word & ~group.mask | value << group.shift
            given |= group.mask
        return word, given

    @classmethod
    def _misfit(cls, path: str, width: int, value: object) -> EncodeError:
        most = (1 << width) - 1
        return EncodeError(
            wrong_value(f"0 to {most}", value),
            structure=cls.structure,
            path=f"{cls.structure}.{path}",
            expected=f"0 to {most:#x}",
            actual=value,
        )

    if not TYPE_CHECKING:  # each generated class declares `replace` with its own groups

        def replace(self, **groups: int) -> Self:
            """The same word with some groups changed; every group counts as given.

            Raises:
                EncodeError: A group does not exist or its value does not fit.
            """
            return type(self).whole()(int(self), **groups)

    def __init_subclass__(cls) -> None:
        if "structure" not in vars(cls):
            return  # the class of words with some given groups
        cls.cache = _Cache(cls)
        cls.open_words = _OpenWords(cls)
        cls.groups = _Groups(cls)

    @classmethod
    def whole(cls) -> type[Self]:
        return cls

    def to_dict(self) -> dict[str, int]:
        """The groups by name, in page order."""
        return self.groups[self].copy()

    def __repr__(self) -> str:
        shown = ", ".join(f"{name}={value}" for name, value in self.to_dict().items() if value)
        return f"{type(self).whole().__name__}({shown or 0})"

    __str__ = __repr__

    def __reduce__(self) -> tuple[Any, ...]:
        given = self.__dict__["given"] if type(self) is self.partial else None
        return _restore, (type(self).whole(), int(self), given)


def _restore(kind: type[Flags], word: int, given: int | None) -> Any:
    return kind(word) if given is None else kind._partial(word, given)


class _Cache(dict[int, Any]):
    """Cached flags words, bounded because senders choose the words."""

    __slots__ = ("kind",)
    LIMIT = 4096

    def __init__(self, kind: type[Flags]) -> None:
        self.kind = kind

    def __missing__(self, word: int) -> Any:
        if len(self) >= self.LIMIT:
            self.clear()
        # `int(word)`: the key may be an open word, which must not be stored.
        flags = self[int(word)] = int.__new__(self.kind, word)
        return flags


class _Groups(dict[int, dict[str, int]]):
    """Cached dictionaries of the groups of words."""

    __slots__ = ("kind",)

    def __init__(self, kind: type[Flags]) -> None:
        self.kind = kind

    def __missing__(self, word: int) -> dict[str, int]:
        if len(self) >= _Cache.LIMIT:
            self.clear()
        groups = self.kind.kind.groups
        groups_of_word = self[int(word)] = {
            group.name: (word & group.mask) >> group.shift for group in groups
        }
        return groups_of_word


class _OpenWords(dict[int, Any]):
    """Words with some given groups; the key is the word and, in the bits above it, their mask."""

    __slots__ = ("kind",)

    def __init__(self, kind: type[Flags]) -> None:
        self.kind = kind

    def __missing__(self, key: int) -> Any:
        if len(self) >= _Cache.LIMIT:
            self.clear()
        bits = self.kind.kind.size * 8
        flags = self[key] = self.kind._partial(key & (1 << bits) - 1, key >> bits)
        return flags
