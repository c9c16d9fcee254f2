"""Where a name is looked up: lists and patterns in the file that names them, nodes in their own call."""

from __future__ import annotations

from pathlib import Path

from fictdsl.compiler import compile_file
from fictdsl.semantics import ir


def test_a_pattern_of_another_file_sees_its_own_lists(tmp_path: Path) -> None:
    (tmp_path / "words.txt").write_text("theirs\n")
    (tmp_path / "shared.fict").write_text(
        'fict 1 list w = file "words.txt" pattern inner(N) { N[form in @w] } pattern listed(N) { inner(N) X -> N }'
    )
    main = tmp_path / "main.fict"
    main.write_text(
        'fict 1 use "shared.fict" list v = {ours} filter x { match { listed(X) X[lemma in @v] listed(_) } }'
    )
    compilation = compile_file(main)
    assert not compilation.errors
    (compiled,) = compilation.filters
    values = [(part.attribute, part.values) for part in ir.walk(compiled.ir) if isinstance(part, ir.OneOf)]
    assert sorted(values, key=str) == [
        (ir.Column("form"), ("theirs",)),
        (ir.Column("form"), ("theirs",)),
        (ir.Column("lemma"), ("ours",)),
    ]
    (reading,) = compiled.ir.readings
    assert len(reading.conjunction.nodes) == 4  # X, `_`, and an X of each call's own
    assert compiled.names == ("X",)
