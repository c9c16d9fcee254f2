"""Dependency trees, and their conversion to text and CoNLL-U."""

from __future__ import annotations

from collections.abc import Iterable


class Node:
    """A word with its annotation and its dependents on the left and on the right, in order.

    `other_number_form` is the form in the other number, or empty. If `glued`, the word forms a surface token with the
    previous word (`does` + `n't`).
    """

    __slots__ = ("deprel", "feats", "form", "glued", "left", "lemma", "other_number_form", "right", "upos", "xpos")

    def __init__(
        self, form: str, lemma: str, upos: str, xpos: str, feats: str, deprel: str, other_number_form: str = ""
    ) -> None:
        self.form = form
        self.lemma = lemma
        self.upos = upos
        self.xpos = xpos
        self.feats = feats
        self.deprel = deprel
        self.other_number_form = other_number_form
        self.glued = False
        self.left: list[Node] = []
        self.right: list[Node] = []


def words(root: Node) -> list[Node]:
    """Return the words of a tree in the order of the sentence."""
    order: list[Node] = []
    _collect(root, order)
    return order


def _collect(node: Node, order: list[Node]) -> None:
    for child in node.left:
        _collect(child, order)
    order.append(node)
    for child in node.right:
        _collect(child, order)


def capitalized(form: str) -> str:
    """Return a form with a capital first letter, as at the beginning of a sentence."""
    return form[0].upper() + form[1:]


def text(order: Iterable[Node]) -> str:
    """Return the capitalized text of a sentence, with a space before words that are neither punctuation nor glued."""
    pieces: list[str] = []
    for node in order:
        if pieces and not node.glued and node.upos != "PUNCT":
            pieces.append(" ")
        pieces.append(node.form)
    return capitalized("".join(pieces))


def conllu(root: Node, order: list[Node], comments: Iterable[str]) -> str:
    """Return a sentence in CoNLL-U, with comments and the final blank line.

    `order` has the words of the tree in the order of the sentence. `comments` are given without `# `.
    """
    ids = {id(node): number for number, node in enumerate(order, 1)}
    heads = {id(root): 0}
    for node in order:
        for child in (*node.left, *node.right):
            heads[id(child)] = ids[id(node)]
    rows = [f"# {comment}" for comment in comments]
    length = len(order)
    for number, node in enumerate(order, 1):
        form = capitalized(node.form) if number == 1 else node.form
        next_is_glued = number < length and order[number].glued
        if next_is_glued and not node.glued:
            rows.append(_surface_row(order, number, form))
        # for a multiword token, SpaceAfter=No is in the row of the token
        has_space_after = next_is_glued or node.glued or number == length or order[number].upos != "PUNCT"
        misc = "_" if has_space_after else "SpaceAfter=No"
        rows.append(
            f"{number}\t{form}\t{node.lemma}\t{node.upos}\t{node.xpos}\t{node.feats}"
            f"\t{heads[id(node)]}\t{node.deprel}\t_\t{misc}"
        )
    return "\n".join(rows) + "\n\n"


def _surface_row(order: list[Node], number: int, form: str) -> str:
    """Return the row of the multiword token (`2-3 doesn't`) that starts with word `number`."""
    last_number = number
    while last_number < len(order) and order[last_number].glued:
        form += order[last_number].form
        last_number += 1
    before_punctuation = last_number < len(order) and order[last_number].upos == "PUNCT"
    return f"{number}-{last_number}\t{form}\t" + "_\t" * 7 + ("SpaceAfter=No" if before_punctuation else "_")
