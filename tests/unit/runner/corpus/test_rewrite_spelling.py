"""The surface of a changed sentence: new neighbours, kept and undone multiword tokens, and the space between tokens."""

from __future__ import annotations

from runner.corpus.rewrite_draft import EditedTree, read_stored
from runner.corpus.rewrite_spelling import as_conllu, spell
from runner.corpus.surface import Token

FORMS = ("I", "do", "n't", "see", "it", "!")
TOKENS = {2: "2-3\tdon't", 4: "4-5\tseeit"}
TEXT = "I don't seeit!"


def draft() -> EditedTree:
    """The sentence *I don't seeit!*: a token of *do* and *n't*, and one of *see* and *it*."""
    lines = []
    for number, form in enumerate(FORMS, start=1):
        if number in TOKENS:
            lines.append(TOKENS[number] + "\t_" * 8)
        upos, head = "PUNCT" if form == "!" else "X", 4 if number != 4 else 0
        lines.append(f"{number}\t{form}\t_\t{upos}\t_\t_\t{head}\t{'dep' if head else 'root'}\t_\t_")
    return EditedTree(read_stored("\n".join(lines), TEXT))


def reordered(*order: int) -> EditedTree:
    changed = draft()
    changed.order = list(order)
    return changed


def test_the_stored_order_has_no_new_neighbours() -> None:
    assert draft().new_neighbours() == []
    assert spell(draft(), frozenset()).text == TEXT


def test_new_neighbours_are_found_where_the_order_breaks() -> None:
    assert reordered(1, 4, 5, 2, 3, 6).new_neighbours() == [0, 2, 4]


def test_an_inserted_word_is_a_new_neighbour_after_the_last_word() -> None:
    changed = draft()
    changed.order.append(changed.add(["_", "now", *["_"] * 8], 4))
    assert changed.new_neighbours() == [5]


def test_kept_tokens_move_whole() -> None:
    spelling = spell(reordered(1, 4, 5, 2, 3, 6), frozenset({"case"}))
    assert spelling.text == "I seeit don't!"
    assert spelling.tokens() == [Token("I", 1, 1), Token("seeit", 4, 5), Token("don't", 2, 3), Token("!", 6, 6)]
    assert [spelling.gap_after(last) for last in (1, 5, 3)] == [" ", " ", ""]
    assert spelling.undone == 0


def test_kept_tokens_keep_their_columns() -> None:
    lines = ["1-2\tdont\t_\t_\t_\tTypo=Yes\t_\t_\t_\tCorrectForm=don't", "1\tdo\tdo\tAUX\t_\t_\t3\taux\t_\t_"]
    lines += ["2\tnt\tnot\tPART\t_\t_\t3\tadvmod\t_\t_", "3\tgo\tgo\tVERB\t_\t_\t0\troot\t_\t_"]
    changed = EditedTree(read_stored("\n".join(lines), "dont go"))
    changed.order = [3, 1, 2]
    assert as_conllu(changed, spell(changed, frozenset())).split("\n")[1] == lines[0].replace("1-2", "2-3")


def test_a_carriage_return_does_not_follow_the_entries_of_a_token() -> None:
    token, *words, last = [
        "1-2\tdont" + "\t_" * 8,
        *(f"{i}\t{w}" + "\t_" * 4 for i, w in ((1, "do"), (2, "nt"), (3, "go"))),
    ]
    lines = [token, *(f"{word}\t3\taux\t_\t_" for word in words), f"{last}\t0\troot\t_\t_"]
    changed = EditedTree(read_stored("\r\n".join(lines), "dont go"))
    changed.order = [3, 1, 2]
    assert as_conllu(changed, spell(changed, frozenset())).split("\n")[1] == token.replace("1-2", "2-3")


def test_undone_tokens_are_written_out_by_their_words() -> None:
    spelling = spell(reordered(1, 5, 2, 3, 4, 6), frozenset({"case"}))
    assert spelling.text == "I it don't see!"
    assert spelling.undone == 1


def test_the_heads_of_a_sentence_give_its_subtrees() -> None:
    stored = draft().stored
    assert stored.subtree(4) == {1, 2, 3, 4, 5, 6}
    assert stored.subtree(2) == {2}
