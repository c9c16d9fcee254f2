"""The filters of the benchmarks, each with hand-written SQL."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from string import Template

from fictdsl.compiler import CompiledFilter
from runner.corpus.filter_arguments import load_filters

HERE = Path(__file__).parent
WORD_LISTS = HERE.parent / "filters" / "words"
SETS = {"fict15": HERE.parent / "filters" / "fict15", "others": HERE / "filters"}
_PLAIN_COLUMNS = ("sid", "id", "head", "lemma", "upos", "xpos", "deprel")


@dataclass(frozen=True, slots=True)
class Case:
    """A filter, and equivalent SQL over the view `words` of `benchmarks.peers.sql`."""

    name: str
    compiled: CompiledFilter
    naive: str

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns of the flat file that `naive` needs, such as `form_l` for lower(form), `feat_Voice` for Voice."""
        columns = {column for column in _PLAIN_COLUMNS if re.search(rf"\b{column}\b(?! *\|\|)", self._without_strings)}
        columns |= {
            f"{column}_l" for column in ("form", "lemma") if re.search(rf"lower\((\w+\.)?{column}\)", self.naive)
        }
        columns |= {"form"} if re.search(r"\bform\b", self._without_strings) else set()
        columns |= {f"feat_{name}" for name in re.findall(r"LIKE '%(\w+)=", self.naive)}
        return tuple(sorted(columns))

    @property
    def _without_strings(self) -> str:
        """The query without strings and without calls of lower()."""
        return re.sub(r"lower\((\w+\.)?\w+\)|'[^']*'", "", self.naive)


def cases(name: str, only: Sequence[str] = ()) -> list[Case]:
    """Return the filters of a set in the order of their names, or those of them that `only` names."""
    all_cases = [
        Case(compiled.name, compiled, naive_sql(HERE / "naive" / name / f"{compiled.name}.sql"))
        for compiled in load_filters([str(SETS[name])])
    ]
    return [case for case in all_cases if not only or case.name in only]


def words(name: str) -> list[str]:
    """Return the entries of a word list of the shipped filters."""
    lines = (WORD_LISTS / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line and not line.startswith("#")]


def naive_sql(path: Path) -> str:
    """Read a query and expand its lists, such as `$sv_nouns`, `$npi_2` (NPIs of two words) and `$first_2`.

    `$first_2` stands for the first words of NPIs of two words.
    """
    lists = {name: words(name) for name in ("sv_nouns", "det_nouns", "passive_verbs")}
    for entry in words("npi"):
        length = entry.count(" ") + 1
        lists.setdefault(f"npi_{length}", []).append(entry)
        lists.setdefault(f"first_{length}", []).append(entry.split()[0])
    quoted = {name: ", ".join(f"'{entry}'" for entry in dict.fromkeys(entries)) for name, entries in lists.items()}
    return Template(path.read_text(encoding="utf-8")).substitute(quoted)
