from pathlib import Path

import pytest

from fictdsl.diagnostics.codes import CATALOGUE
from fictdsl.source import Span
from runner.lsp.documents import Documents, findings
from runner.lsp.navigation import actions, fixed_text
from tests.support.documents import snapshot


def test_what_is_wrong_in_a_used_file_is_shown_where_that_file_is_named(tmp_path: Path):
    (tmp_path / "fictc.toml").touch()
    (tmp_path / "a.fict").write_text('fict 1\nuse "b.fict"\n')
    (tmp_path / "b.fict").write_text('fict 1\nlist l = file "words.txt"\nlist broken {\n')
    (tmp_path / "words.txt").write_text("a\na\n")
    for text, where in (
        (
            'fict 1\nuse "a.fict"\nuse "b.fict"\nlist m = file "words.txt"\nfilter f { match { V } }\n',
            ('"b.fict"', '"words.txt"'),
        ),
        ('fict 1\nuse "a.fict"\nfilter f { match { V } }\n', ('"a.fict"', '"a.fict"')),
    ):
        found = {f.diagnostic.code: f for f in findings(snapshot(text, tmp_path / "f.fict"))}
        shown = [text[found[code].span.start : found[code].span.end] for code in ("FICT110", "FICT148")]
        assert tuple(shown) == where
        assert found["FICT110"].message.startswith(f"in {tmp_path / 'b.fict'}: ")
        assert found["FICT110"].related[0][0].path == tmp_path / "b.fict"


def test_the_settings_of_the_project_say_what_is_reported(tmp_path: Path):
    text, path = "fict 1\nfilter f { match { V:VREB } }\n", tmp_path / "f.fict"

    def codes(settings: str) -> list[str]:
        (tmp_path / "fictc.toml").write_text(settings)
        return [finding.diagnostic.code for finding in findings(snapshot(text, path))]

    assert {"FICT501", "FICT520"} <= set(codes(""))
    assert codes('[lint]\nselect = ["FICT501"]\n') == ["FICT501"]
    assert "FICT501" not in codes('[lint]\nignore = ["unknown-upos"]\n')
    wrong, *rest = findings(snapshot(text, path)) if codes("[lint]\nselct = []\n") else []
    assert wrong.message.startswith("in ") and "fictc.toml: " in wrong.message and "selct" in wrong.message
    assert {"FICT501", "FICT520"} <= {finding.diagnostic.code for finding in rest}


def test_what_is_unused_is_marked_as_such():
    text = "fict 1\nlist l = {a}\nfilter f { match { V:VREB } }\n"
    unused = {CATALOGUE[f.diagnostic.code].name: f.unused for f in findings(snapshot(text))}
    assert (unused["unused-list"], unused["unknown-upos"]) == (True, False)


def test_only_lints_can_be_ignored_and_only_on_lines_without_a_comment():
    text = "fict 1\r\nfilter f { match { V:VREB } }\r\nfilter g { match { V:VREB } } # why\nfilter h { match { @ } }"
    it = snapshot(text)
    assert {action.title for action in actions(it, Span(0, len(text)))} == set()
    text = text[: text.rindex("filter")]
    it = snapshot(text)
    ignoring = [action for action in actions(it, Span(0, len(text))) if action.title.startswith("Ignore FICT501")]
    assert [text[: action.span.start].splitlines()[-1] for action in ignoring] == ["filter f { match { V:VREB } }"]
    line = text.index("filter g")
    assert [action for action in actions(it, Span(line, line)) if "FICT501" in action.title] == []


def test_fixes_are_made_until_none_is_left():
    documents = Documents()
    text = "fict 1\nfilter f { match { V[Voice = Pass, Voice = Pass, Voice = Pass] } }\n"
    documents.open("it", None, text)
    assert fixed_text(documents, documents.snapshot("it")).count("Voice = Pass") == 1
    documents.open("it", None, text + "}")
    assert fixed_text(documents, documents.snapshot("it")) == text + "}"


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("delte node(O)", "delete node(O)"),
        ("move subtree(O) befor node(V)", "move subtree(O) before node(V)"),
        ("shufle sentence", "shuffle sentence"),
        ("order sentence by lenght", "order sentence by length"),
        ("swap node(V) wth node(O)", "swap node(V) with node(O)"),
        ("reverse subtre(O)", "reverse subtree(O)"),
    ],
)
def test_a_misspelt_word_of_an_action_has_a_fix(wrong, right):
    text = f"fict 1\nrewrite r {{\n  match {{ V:VERB -[obj]-> O }}\n  {wrong}\n}}\n"
    (action,) = [
        each for each in actions(snapshot(text), Span(0, len(text))) if each.finding.diagnostic.code == "FICT111"
    ]
    start, end = action.span.start, action.span.end
    assert text[:start] + action.replacement + text[end:] == text.replace(wrong, right)


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("V:VREB", "V:VERB"),
        ("V -[nsbj]-> S", "V -[nsubj]-> S"),
        ("V -[nsubjpass]-> S", "V -[nsubj:pass]-> S"),
        ("V -[nsubj:pas]-> S", "V -[nsubj:pass]-> S"),
        ("V[Number = Plurr]", "V[Number = Plur]"),
        ("V[lemma in @verbz]", "V[lemma in @verbs]"),
    ],
)
def test_a_misspelt_name_is_replaced_by_the_nearest_on_request(wrong, right):
    text = f'fict 1\nlist verbs = {{see}}\nfilter f {{\n  about "a"\n  match {{ {wrong} }}\n}}\n'
    renaming = [each for each in actions(snapshot(text), Span(0, len(text))) if each.title.startswith("Replace")]
    (action,) = renaming
    start, end = action.span.start, action.span.end
    assert text[:start] + action.replacement + text[end:] == text.replace(wrong, right)
    assert not action.preferred


@pytest.mark.parametrize("wrong", ["V -[pobj]-> S", "V:NN", "V:zzzzzzzzzz"])
def test_what_has_no_single_nearest_name_is_not_replaced(wrong):
    text = f'fict 1\nfilter f {{\n  about "a"\n  match {{ {wrong} }}\n}}\n'
    assert not [each for each in actions(snapshot(text), Span(0, len(text))) if each.title.startswith("Replace `V")]


def test_what_lint_fixes_in_a_rewrite_has_an_action():
    text = 'fict 1\nrewrite r {\n  about "a"\n  match { V:VERB -[obj]-> O  V:VERB }\n  delete node(O)\n}\n'
    it = snapshot(text)
    assert [finding.diagnostic.code for finding in findings(it) if finding.diagnostic.fix is not None]
    replaced = [each for each in actions(it, Span(0, len(text))) if each.preferred]
    assert replaced and all(each.finding.diagnostic.fix is not None for each in replaced)
