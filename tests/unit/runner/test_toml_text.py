"""Where keys of a TOML text stand."""

from runner.toml_text import key_positions, nearest_span

TEXT = """\
title = "x"
[corpus]
train = ["a"]
sample = { sentences = 1, seed = 2 }
[[model]]
preset = "a"
[[model]]
"quoted key" = 1
training.epochs = 2
"""


def spelt(path):
    span = key_positions(TEXT)[path]
    return TEXT[span.start : span.end]


def test_keys_are_found_in_tables_arrays_of_tables_and_inline_tables():
    assert spelt(("title",)) == "title"
    assert spelt(("corpus", "train")) == "train"
    assert spelt(("corpus", "sample", "seed")) == "seed"
    assert spelt(("model", 0, "preset")) == "preset"
    assert spelt(("model", 1, "quoted key")) == '"quoted key"'
    assert spelt(("model", 1, "training", "epochs")) == "training.epochs"


def test_the_position_of_a_table_is_its_header():
    assert spelt(("corpus",)) == "[corpus]"
    assert spelt(("model",)) == spelt(("model", 1)) == "[[model]]"


def test_what_has_no_place_of_its_own_gets_that_of_its_parent():
    spans = key_positions(TEXT)
    assert nearest_span(spans, ("corpus", "train", 0)) == spans["corpus", "train"]
    assert nearest_span(spans, ("model", 1, "absent")) == spans["model", 1]
    assert nearest_span(spans, ("absent",)).start == 0


def test_a_sub_table_belongs_to_the_last_table_of_its_array():
    text = "[[a]]\nx = 1\n[[a]]\n[a.b]\ny = 2\n[[a.c]]\nz = 3\n[[a.c]]\nz = 4\n[d.e]\nw = 5\n"
    spans = key_positions(text)
    lines = {path: text[: span.start].count("\n") for path, span in spans.items()}
    assert lines["a", 1, "b", "y"] == 4
    assert (lines["a", 1, "c", 0, "z"], lines["a", 1, "c", 1, "z"]) == (6, 8)
    assert lines["d", "e", "w"] == 10


def test_lines_inside_of_a_value_are_neither_headers_nor_keys():
    text = (
        '''[a]
one = """
[b]
x = "1"
"""
two = [
  ["]", '['],  # ]
[1],
]
three = '''
        + "'''\nk = 1\n'''\n"
        + "[c]\nk = 2\n"
    )
    spans = key_positions(text)
    assert {path: text[: span.start].count("\n") for path, span in spans.items()} == {
        ("a",): 0,
        ("a", "one"): 1,
        ("a", "two"): 5,
        ("a", "three"): 9,
        ("c",): 12,
        ("c", "k"): 13,
    }


def places(text):
    """The text at and the index of each key, by path."""
    return {path: (text[span.start : span.end], span.start) for path, span in key_positions(text).items()}


def test_keys_of_inline_tables_in_inline_tables_and_arrays_have_their_whole_path():
    text = "a = {b = {c = 1}, d.e = 2, c = 3}\n"
    assert places(text) == {
        ("a",): ("a", 0),
        ("a", "b"): ("b", 5),
        ("a", "b", "c"): ("c", 10),
        ("a", "d", "e"): ("d.e", text.index("d.e")),
        ("a", "c"): ("c", text.rindex("c")),
    }
    text = '[t]\na = [\n  {x = 1, "y z" = [[], [{w = 2}]]},  # {v = 3}, v = 4\n  {x = 2},\n]\nb = {}\n'
    assert places(text) == {
        ("t",): ("[t]", 0),
        ("t", "a"): ("a", 4),
        ("t", "a", 0, "x"): ("x", text.index("x")),
        ("t", "a", 0, "y z"): ('"y z"', text.index('"')),
        ("t", "a", 0, "y z", 1, 0, "w"): ("w", text.index("w")),
        ("t", "a", 1, "x"): ("x", text.rindex("x")),
        ("t", "b"): ("b", text.rindex("b")),
    }


def test_strings_and_comments_have_no_keys():
    text = 'a = "x, y = 1"  # {z = 2}, z = 3\nb = [\'{c = 1\', """\n, d = 2"""]\ne = { f = \', g = 1\' }\n'
    assert set(key_positions(text)) == {("a",), ("b",), ("e",), ("e", "f")}
