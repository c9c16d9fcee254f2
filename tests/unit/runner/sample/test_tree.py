"""Trees into text and CoNLL-U: spacing, surface tokens, heads."""

from __future__ import annotations

from runner.sample.words import Node, conllu, text, words


def word(form: str, upos: str = "X", deprel: str = "dep") -> Node:
    return Node(form, form, upos, "_", "_", deprel)


def short_negation() -> Node:
    """*mary didn't go.*"""
    root = word("go", "VERB", "root")
    short = word("n't")
    short.glued = True
    root.left = [word("mary"), word("did"), short]
    root.right = [word(".", "PUNCT", "punct")]
    return root


def test_words_come_in_the_order_of_the_sentence() -> None:
    assert [node.form for node in words(short_negation())] == ["mary", "did", "n't", "go", "."]


def test_text_has_a_capital_and_no_space_before_clitics_and_punctuation() -> None:
    assert text(words(short_negation())) == "Mary didn't go."


def test_rows_have_surface_tokens_heads_and_spacing() -> None:
    root = short_negation()
    block = conllu(root, words(root), ["text = Mary didn't go."])
    assert block == (
        "# text = Mary didn't go.\n"
        "1\tMary\tmary\tX\t_\t_\t4\tdep\t_\t_\n"
        "2-3\tdidn't\t_\t_\t_\t_\t_\t_\t_\t_\n"
        "2\tdid\tdid\tX\t_\t_\t4\tdep\t_\t_\n"
        "3\tn't\tn't\tX\t_\t_\t4\tdep\t_\t_\n"
        "4\tgo\tgo\tVERB\t_\t_\t0\troot\t_\tSpaceAfter=No\n"
        "5\t.\t.\tPUNCT\t_\t_\t4\tpunct\t_\t_\n"
        "\n"
    )


def test_a_surface_token_before_punctuation_carries_the_spacing_and_the_capital() -> None:
    root, short, stop = word("did", "AUX", "root"), word("n't"), word(".", "PUNCT", "punct")
    short.glued = True
    root.right = [short, stop]
    block = conllu(root, words(root), [])
    assert block.splitlines()[0] == "1-2\tDidn't" + "\t_" * 7 + "\tSpaceAfter=No"
    assert text(words(root)) == "Didn't."
