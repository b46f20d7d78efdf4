"""Generates the step of a builder that settles flags words.

If the caller omitted a word, it is computed from the parts that are present.  If the caller gave some of its
groups, only the others are computed.  Groups that an enclosing record may set stay open.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msmq_wire.compiler.expressions import fields_of, value_without
from msmq_wire.definitions import relations

if TYPE_CHECKING:
    from collections.abc import Iterable

    from msmq_wire.records.model import Choice, Flags, Group

    from .draft import Draft


class Words:
    """Emit source for the flags words of the record itself, and for the bits of words in its parts."""

    def __init__(self, draft: Draft) -> None:
        self.draft = draft

    def settle_words(self) -> None:
        for name, cls in self.draft.cls.flags.items():
            if not self.draft.is_open(name):
                continue
            open_words = self.draft.constant(f"open_{cls}", cls.open_words)
            self.draft.emit(f"if {name} is None:")
            self.draft.indent += 1
            self.new_word(name, cls.defaults)
            self.draft.emit(f"{name} = {open_words}[{name}]")
            self.draft.indent -= 1
            self.draft.emit("else:")
            self.draft.indent += 1
            self.given_word(name)
            self.draft.emit(f"if {name}.__class__ is not {self.draft.constant(f'class_{cls}', cls)}:")
            self.draft.emit(f"    {name} = {open_words}[{name} | _given_{name} << {cls.kind.size * 8}]")
            self.draft.indent -= 1

    # -- the whole word was omitted

    def new_word(self, word: str, defaults: int) -> None:
        """Emit source that computes the word and, in the bits above it, the mask of given groups."""
        size = self.word_kind(word).size
        groups, given = self.own_groups(word)
        bits, lines = self.bits(word, groups)
        self.draft.emit(f"{word} = {defaults | bits | given << size * 8:#x}")
        for line in lines:
            self.draft.emit(line)

    def own_groups(self, word: str) -> tuple[list[tuple[Group, Any]], int]:
        """Return the groups computed from other fields, as `bits` takes them, and the settled mask."""
        defaults = self.draft.cls.flags[word].defaults
        groups: list[tuple[Group, Any]] = list(self.computed_groups(word))
        given = 0
        for group, names in self.presence(word):
            given |= group.mask
            assert not defaults & group.mask  # noqa: S101  # a group that announces a part has no default
            groups.append((group, self.there(names, group)))
        for name, (group, numbers) in self.selected(word).items():
            given |= group.mask
            assert not defaults & group.mask  # noqa: S101  # as above
            shifted = {cls: pair[0] << group.shift for cls, pair in numbers.items()}
            chosen = f"{self.draft.constant(f'bits_{self.draft.structure.name}_{name}', shifted)}[{name}.__class__]"
            if self.names_hosts(name):
                chosen = f"{chosen} if _chosen_{name} is None else _chosen_{name} << {group.shift}"
            groups.append((group, (0, f"{name} is not None", chosen)))
        return groups, given

    def there(self, names: list[str], group: Group) -> tuple[int, str, str]:
        """Return the bits that announce that one of some parts is present."""
        bits = self.means(names[0]) << group.shift
        return 0, " or ".join(f"{name} is not None" for name in names), f"{bits:#x}"

    def bits(self, target: str, groups: Iterable[tuple[Group, Any]]) -> tuple[int, list[str]]:
        """Return the bits if no optional part is present, and statements that add the bits of those present.

        Args:
            target: Variable of the word.
            groups: Each group with one of three sources: a number, an expression, or a tuple.
                The tuple holds the bits without a part, the test for that part, and the source of the
                bits with it.
        """
        fixed_bits = 0
        tests: dict[str, list[str]] = {}
        lines = []
        for group, source in groups:
            if isinstance(source, str):
                bits_source = self.of_optional(group, source)
            elif isinstance(source, tuple):
                bits_source = source
            else:
                fixed_bits |= source << group.shift
                continue
            without, test, there = bits_source
            fixed_bits |= without
            if without:
                added = "" if there == "0" else f" | {there}"
                lines += [f"if {test}:", f"    {target} = {target} & {~group.mask}{added}"]
            else:
                tests.setdefault(test, []).append(there)
        for test, found_there in tests.items():
            added = " | ".join(f"({source})" if " if " in source else source for source in found_there)
            lines += [f"if {test}:", f"    {target} |= {added}"] if test else [f"{target} |= {added}"]
        return fixed_bits, lines

    def of_optional(self, group: Group, source: str) -> tuple[int, str, str]:
        """Return the bits that an expression computes, apart from those without the part that it reads."""
        names = fields_of(source)
        optional = names[0] if len(names) == 1 and self.draft.structure.by_name[names[0]].present else ""
        value = self.draft.call(source, optional)
        bits = f"{int(value) << group.shift:#x}" if value.isdigit() else f"{value} << {group.shift}"
        if not group.shift:
            bits = value
        if optional:
            return value_without(source) << group.shift, f"{optional} is not None", bits
        return 0, "", bits

    # -- some of its groups were given

    def given_word(self, word: str) -> None:
        for group, source in self.computed_groups(word):
            self.draft.emit(f"if not _given_{word} & {group.mask:#x}:")
            self.draft.emit(
                f"    {word} = {word} & {~group.mask} | {self.draft.call(source)} << {group.shift}"
            )
        for name, (group, numbers) in self.selected(word).items():
            self.draft.emit(f"if {name} is not None or {word} & {group.mask:#x}:")
            self.draft.indent += 1
            fitting = f"_numbers_{name}"
            table = self.draft.constant(f"numbers_{self.draft.structure.name}_{name}", numbers)
            self.draft.emit(f"{fitting} = {table}[{name}.__class__]")
            chosen = f"{fitting}[0]"
            if self.names_hosts(name):
                chosen = f"{fitting}[0] if _chosen_{name} is None else _chosen_{name}"
            self.draft.emit(f"if {word} >> {group.shift} & {(1 << group.width) - 1} not in {fitting}:")
            self.draft.indent += 1
            self.set_group(word, group, f"({chosen}) << {group.shift}")
            self.draft.indent -= 2
        for group, names in self.presence(word):
            means = self.means(names[0])
            there = " or ".join(f"{name} is not None" for name in names)
            bits, now = means << group.shift, f"{word} & {group.mask:#x}"
            # A number with another meaning stays; one bit has none.
            absent = "0" if group.width == 1 else f"0 if ({now}) == {bits:#x} else {now}"
            self.set_group(word, group, f"({bits:#x} if {there} else {absent})")

    def set_group(self, word: str, group: Group, bits: str) -> None:
        """Emit source that sets the bits of a group unless it was given; afterwards it counts as given."""
        self.draft.emit(f"if not _given_{word} & {group.mask:#x}:")
        self.draft.emit(f"    {word} = {word} & {~group.mask} | {bits}")
        self.draft.emit(f"    _given_{word} |= {group.mask:#x}")

    # -- word properties from the layout

    def word_kind(self, word: str) -> Flags:
        return self.draft.structure.flags(word)

    def computed_groups(self, word: str) -> Iterable[tuple[Group, Any]]:
        """Yield the groups that are computed from other fields, with their expressions."""
        for group in self.word_kind(word).groups:
            source = relations.DEFAULTS.get(f"{self.draft.structure.name}.{word}.{group.name}")
            if isinstance(source, str):
                yield group, source

    def selected(self, word: str) -> dict[str, tuple[Group, dict[Any, tuple[int, ...]]]]:
        """Return fields whose form a group selects, with that group and the numbers that fit each class."""
        selected = {}
        for name, (selector, kind) in self.draft.plan.selectors.items():
            owner, _, group = selector.partition(".")
            if group and owner == word:
                selected[name] = self.word_kind(word).group(group), self.numbers_by_class(kind)
        return selected

    def presence(self, word: str) -> Iterable[tuple[Group, list[str]]]:
        """Yield the groups that announce parts, with these parts."""
        for group, names in self.draft.plan.presence.get(word, {}).items():
            yield self.word_kind(word).group(group), names

    def means(self, name: str) -> int:
        """Return the number that announces that a part is present."""
        present = self.draft.structure.by_name[name].present
        assert present  # noqa: S101  # the plan contains only optional parts
        return present.means

    def names_hosts(self, name: str) -> bool:
        return f"{self.draft.structure.name}.{name}" in relations.OMITTABLE_HOSTS

    def numbers_by_class(self, kind: Choice) -> dict[Any, tuple[int, ...]]:
        fitting: dict[Any, tuple[int, ...]] = {}
        for number, form in kind.forms.items():
            cls = self.draft.compiler.classes[form.name] if form else type(None)
            fitting[cls] = (*fitting.get(cls, ()), number)
        return fitting
