"""Every call in the product that builds a diagnostic, with its codes and parameters, read from the source.

A call builds a diagnostic if it calls `diagnostic`, or a function that passes a code or `**parameters` on to it.
"""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

ROOT = Path(__file__).parents[2]
OWN = frozenset({"code", "source", "span", "labels", "hint", "fix"})  # parameters of `diagnostic` itself
CODE = re.compile(r"FICT\d{3}")


@dataclass(frozen=True, eq=False)
class Place:
    """A call and the function in which it stands."""

    file: str
    function: ast.FunctionDef | None
    call: ast.Call

    @property
    def parameters(self) -> list[str]:
        """The named parameters of the function, without `self` and `cls`."""
        if self.function is None:
            return []
        arguments = self.function.args
        return [
            each.arg
            for each in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)
            if each.arg not in ("self", "cls")
        ]

    def __str__(self) -> str:
        return f"{self.file}:{self.call.lineno}: {ast.unparse(self.call)}"


@dataclass(frozen=True)
class Builder:
    """A function that builds a diagnostic with `codes`, or with the code that it takes as its parameter `code`."""

    name: str
    file: str | None  # of a private function
    code: str | None
    codes: frozenset[str]
    added: frozenset[str]  # parameters of the code that it gives itself
    own: tuple[str, ...]  # its own parameters
    takes_more: bool  # whether it passes on further ones


class Calls:
    """The calls of the product by the name of the called function."""

    def __init__(self) -> None:
        self._by_name: dict[str, list[Place]] = defaultdict(list)
        self._constants: dict[tuple[str, str], list[ast.expr]] = {}
        for package in ("fictdsl", "runner", "fictc"):
            for path in sorted((ROOT / package).rglob("*.py")):
                file, module = path.relative_to(ROOT).as_posix(), ast.parse(path.read_text(encoding="utf-8"))
                self._constants |= {(file, name): values for name, values in _assigned(module.body).items()}
                self._add(file, module, None)

    def _add(self, file: str, node: ast.AST, function: ast.FunctionDef | None) -> None:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.Call) and (name := getattr(child.func, "attr", getattr(child.func, "id", ""))):
                self._by_name[name].append(Place(file, function, child))
            self._add(file, child, child if isinstance(child, ast.FunctionDef) else function)

    @cached_property
    def found(self) -> dict[Place, list[tuple[frozenset[str], frozenset[str]]]]:
        """For each call the codes and parameters that it may have; without a code that is known here, an empty list."""
        found: dict[Place, list[tuple[frozenset[str], frozenset[str]]]] = defaultdict(list)
        pending = [
            Builder("diagnostic", None, "code", frozenset(), frozenset(), ("code", *sorted(OWN - {"code"})), True)
        ]
        known = set(pending)
        while pending:
            builder = pending.pop()
            for place in self._by_name[builder.name]:
                if builder.file not in (None, place.file):
                    continue
                argument = None if builder.code is None else _argument(place.call, builder.own, builder.code)
                codes = builder.codes if builder.code is None else self._codes(place, argument)
                keys, forwards = self._keys(place, builder)
                passed = _passed(argument, place.parameters)
                if codes and not forwards:
                    found[place].append((codes, keys))
                elif place.function is not None and (passed is not None or (codes and forwards)):
                    name = place.function.name
                    file = place.file if name.startswith("_") else None
                    outer = Builder(name, file, passed, codes, keys, tuple(place.parameters), forwards)
                    pending += [outer] if outer not in known else []
                    known.add(outer)
                elif builder.name == "diagnostic":
                    found[place] = []
        return found

    def _codes(self, place: Place, value: ast.expr | None) -> frozenset[str]:
        """Return the codes that an expression may be; none if it is something else."""
        match value:
            case ast.Constant(value=str(text)) if CODE.fullmatch(text):
                return frozenset({text})
            case ast.IfExp(body=body, orelse=other):
                return self._codes(place, body) | self._codes(place, other)
            case ast.Call(func=ast.Name(id="Rule"), args=[first, *_]):
                return self._codes(place, first)
            case ast.Name(id=name):
                values = _local(place, name) or self._constants.get((place.file, name), [])
                return frozenset().union(*(self._codes(place, each) for each in values))
        return frozenset()

    def _keys(self, place: Place, builder: Builder) -> tuple[frozenset[str], bool]:
        """Return the parameters of a code that a call gives, and whether it passes on those of its function."""
        keys: set[str] = set(builder.added)
        forwards = False
        for keyword in place.call.keywords:
            if keyword.arg is not None:
                keys |= {keyword.arg} - set(builder.own) - OWN if builder.takes_more else set()
            elif (
                place.function is not None
                and (rest := place.function.args.kwarg)
                and ast.unparse(keyword.value) == rest.arg
            ):
                forwards = True
            else:
                keys |= set(_dictionary_keys(place, ast.unparse(keyword.value))) - OWN
        return frozenset(keys), forwards


def _assigned(nodes: Iterable[ast.AST]) -> dict[str, list[ast.expr]]:
    values: dict[str, list[ast.expr]] = defaultdict(list)
    for node in nodes:
        if isinstance(node, ast.Assign | ast.AnnAssign | ast.NamedExpr) and node.value is not None:
            for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                values[ast.unparse(target)].append(node.value)
    return values


def _local(place: Place, name: str) -> list[ast.expr]:
    return [] if place.function is None else _assigned(ast.walk(place.function)).get(name, [])


def _dictionary_keys(place: Place, name: str) -> set[str]:
    """Return the keys of a local dictionary: of the display last assigned before the call, and of those added by `|=`."""
    keys: set[str] = set()
    for node in sorted(ast.walk(place.function or place.call), key=lambda node: getattr(node, "lineno", 0)):
        if not isinstance(node, ast.Assign | ast.AnnAssign | ast.AugAssign) or node.lineno > place.call.lineno:
            continue
        target = node.targets[0] if isinstance(node, ast.Assign) else node.target
        if ast.unparse(target) == name and isinstance(node.value, ast.Dict):
            display = {
                key.value for key in node.value.keys if isinstance(key, ast.Constant) and isinstance(key.value, str)
            }
            keys = keys | display if isinstance(node, ast.AugAssign) else display
    return keys


def _argument(call: ast.Call, own: tuple[str, ...], name: str) -> ast.expr | None:
    given = next((keyword.value for keyword in call.keywords if keyword.arg == name), None)
    position = own.index(name)
    return call.args[position] if given is None and position < len(call.args) else given


def _passed(value: ast.expr | None, parameters: list[str]) -> str | None:
    """Return the parameter whose value an expression passes on: `code`, or `rule` in `rule.code`."""
    name = "" if value is None else ast.unparse(value).replace("rule.code", "rule")
    return name if name in parameters else None
