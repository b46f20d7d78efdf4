"""Generates the part of a builder that settles flags words.

A word that its maker left out is put together from what is there; of one that they gave, only the other groups
are set.  What an enclosing record may still set stays open.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msmq_wire.definitions import relations
from msmq_wire.records.model import Choice, Flags

from .taker import TakeEmitter

if TYPE_CHECKING:
    from collections.abc import Iterable

    from msmq_wire.records.model import Group

__all__ = ["WordEmitter"]


class WordEmitter(TakeEmitter):
    """Source for the words of the record itself, and for the bits of words in its parts."""

    def settle_words(self) -> None:
        for name, cls in self.cls.flags.items():
            if not self.is_open(name):
                continue
            open_words = self.constant(f"open_{cls}", cls.open_words)
            self.emit(f"if {name} is None:")
            self.indent += 1
            self.new_word(name, cls.defaults)
            self.emit(f"{name} = {open_words}[{name}]")
            self.indent -= 1
            self.emit("else:")
            self.indent += 1
            self.given_word(name)
            self.emit(f"if {name}.__class__ is not {self.constant(f'class_{cls}', cls)}:")
            self.emit(f"    {name} = {open_words}[{name} | _given_{name} << {cls.kind.size * 8}]")
            self.indent -= 1

    # -- nothing of it was given

    def new_word(self, word: str, defaults: int) -> None:
        """The word and, above it, the mask of the groups that count as given."""
        kind = self.word_kind(word)
        groups: list[tuple[Group, Any]] = list(self.computed_groups(word))
        given = 0
        for group, names in self.presence(word):
            given |= group.mask
            assert not defaults & group.mask  # noqa: S101  # what marks a part has no default
            groups.append((group, self.there(names, group, self.means(names[0]))))
        for name, (group, numbers) in self.selected(word).items():
            given |= group.mask
            assert not defaults & group.mask  # noqa: S101  # as above
            shifted = {cls: found[0] << group.shift for cls, found in numbers.items()}
            chosen = f"{self.constant(f'bits_{self.structure.name}_{name}', shifted)}[{name}.__class__]"
            if self.names_hosts(name):
                chosen = f"{chosen} if _chosen_{name} is None else _chosen_{name} << {group.shift}"
            groups.append((group, (0, f"{name} is not None", chosen)))
        bits, lines = self.bits(word, groups)
        self.emit(f"{word} = {defaults | bits | given << kind.size * 8:#x}")
        for line in lines:
            self.emit(line)

    def there(self, names: Iterable[str], group: Group, value: int = 1) -> tuple[int, str, str]:
        """The bits that say that one of some parts is there."""
        return 0, " or ".join(f"{name} is not None" for name in names), f"{value << group.shift:#x}"

    def bits(self, target: str, groups: Iterable[tuple[Group, Any]]) -> tuple[int, list[str]]:
        """The bits that groups have if no optional part is there, and what then adds to them what is.

        Args:
            target: Name of the word.
            groups: Each with a number, with a function of fields, or with the bits without a part, the test
                for that part, and the source of the bits with it.
        """
        known = 0
        tests: dict[str, list[str]] = {}
        lines = []
        for group, source in groups:
            if callable(source):
                found = self.of_optional(group, source)
            elif isinstance(source, tuple):
                found = source
            else:
                known |= source << group.shift
                continue
            without, test, there = found
            known |= without
            if without:
                lines += [f"if {test}:", f"    {target} = {target} & {~group.mask} | {there}"]
            else:
                tests.setdefault(test, []).append(there)
        for test, found_there in tests.items():
            added = " | ".join(f"({source})" if " if " in source else source for source in found_there)
            lines += [f"if {test}:", f"    {target} |= {added}"] if test else [f"{target} |= {added}"]
        return known, lines

    def of_optional(self, group: Group, source: Any) -> tuple[int, str, str]:
        """Bits from a function; one of an optional part is not called without it."""
        names = self.arguments(source)
        bits = f"{self.call(source)} << {group.shift}" if group.shift else self.call(source)
        if len(names) == 1 and self.structure.by_name[names[0]].present:
            return source(None) << group.shift, f"{names[0]} is not None", bits
        return 0, "", bits

    # -- some groups of it were given

    def given_word(self, word: str) -> None:
        for group, source in self.computed_groups(word):
            self.emit(f"if not _given_{word} & {group.mask:#x}:")
            self.emit(f"    {word} = {word} & {~group.mask} | {self.call(source)} << {group.shift}")
        for name, (group, numbers) in self.selected(word).items():
            self.emit(f"if {name} is not None or {word} & {group.mask:#x}:")
            self.indent += 1
            fitting = f"_numbers_{name}"
            table = self.constant(f"numbers_{self.structure.name}_{name}", numbers)
            self.emit(f"{fitting} = {table}[{name}.__class__]")
            chosen = f"{fitting}[0]"
            if self.names_hosts(name):
                chosen = f"{fitting}[0] if _chosen_{name} is None else _chosen_{name}"
            self.emit(f"if {word} >> {group.shift} & {(1 << group.width) - 1} not in {fitting}:")
            self.indent += 1
            self.set_group(word, group, chosen)
            self.indent -= 2
        for group, names in self.presence(word):
            means = self.means(names[0])
            there = " or ".join(f"{name} is not None" for name in names)
            now = f"{word} >> {group.shift} & {(1 << group.width) - 1}"
            self.set_group(word, group, f"{means} if {there} else 0 if ({now}) == {means} else {now}")

    def set_group(self, word: str, group: Group, value: str) -> None:
        """Set a group of our own flags unless it was given; from then on it counts as given."""
        self.emit(f"if not _given_{word} & {group.mask:#x}:")
        self.emit(f"    {word} = {word} & {~group.mask} | ({value}) << {group.shift}")
        self.emit(f"    _given_{word} |= {group.mask:#x}")

    # -- what the layout says of a word

    def word_kind(self, word: str) -> Flags:
        kind = self.structure.by_name[word].kind
        assert isinstance(kind, Flags)  # noqa: S101  # only flags have groups
        return kind

    def computed_groups(self, word: str) -> Iterable[tuple[Group, Any]]:
        """Groups that follow from other fields, and the functions that say how."""
        for group in self.word_kind(word).groups:
            source = relations.DEFAULTS.get(f"{self.structure.name}.{word}.{group.name}")
            if callable(source):
                yield group, source

    def selected(self, word: str) -> dict[str, tuple[Group, dict[Any, tuple[int, ...]]]]:
        """Fields whose form a group tells, with that group and the numbers that fit each class."""
        found = {}
        for name, (selector, kind) in self.plan.selectors.items():
            owner, _, group = selector.partition(".")
            if group and owner == word:
                found[name] = self.word_kind(word).group(group), self.numbers_by_class(kind)
        return found

    def presence(self, word: str) -> Iterable[tuple[Group, list[str]]]:
        """Groups that say whether parts are there, and these parts."""
        for group, names in self.plan.presence.get(word, {}).items():
            yield self.word_kind(word).group(group), names

    def means(self, name: str) -> int:
        """The number that says that a part is there."""
        present = self.structure.by_name[name].present
        assert present  # noqa: S101  # the plan was made from these
        return present.means

    def names_hosts(self, name: str) -> bool:
        return f"{self.structure.name}.{name}" in relations.HOSTS

    def numbers_by_class(self, kind: Choice) -> dict[Any, tuple[int, ...]]:
        fitting: dict[Any, tuple[int, ...]] = {}
        for number, known in kind.forms.items():
            cls = self.compiler.classes[known.name] if known else type(None)
            fitting[cls] = (*fitting.get(cls, ()), number)
        return fitting

    def arguments(self, source: Any) -> tuple[str, ...]:
        """The fields whose values a function takes."""
        code = source.__code__
        names: tuple[str, ...] = code.co_varnames[: code.co_argcount]
        return names

    def call(self, source: Any) -> str:
        """Source of a call of a function that takes values of the record by the names of their fields."""
        return (
            f"{self.constant(f'compute_{self.structure.name}', source)}({', '.join(self.arguments(source))})"
        )
