"""Describe the actions of a filter, as the first line of its description."""

from __future__ import annotations

from collections.abc import Sequence

from fictdsl.english.phrases import joined, listed, quoted
from fictdsl.syntax import nodes

DEFAULT_MASK = "<mask>"
_TAGS = {"upos": "UPOS tag", "xpos": "XPOS tag", "deprel": "relation label"}
_SENTENCE_PHRASES = {
    "remove": "Removes every sentence",
    "keep": "Keeps only the sentences",
    "count": "Counts every sentence",
}


def opening_line(actions: Sequence[nodes.Action], words: str) -> str:
    """Return the first line. `words` describes the words that the sentence must have. It is empty if there are none."""
    if len(actions) < 2 and all(action.target.kind == "sentence" for action in actions):
        verb = actions[0].verb if actions else "remove"
        have = "have" if verb == "keep" else "has"
        return f"{_SENTENCE_PHRASES[verb]} {f'that {have} {words} such that' if words else 'of which this is true:'}"
    verb_phrases = [_verb_phrase(action) for action in actions]
    predicate = verb_phrases[0] if len(verb_phrases) == 1 else joined(verb_phrases, "and")
    condition = f"wherever a sentence has {words} such that" if words else "wherever this is true of a sentence:"
    return f"{predicate[:1].upper()}{predicate[1:]}, {condition}"


def _verb_phrase(action: nodes.Action) -> str:
    target = action.target
    if target.kind == "sentence":
        return {
            "remove": "removes the sentence",
            "keep": "keeps the sentence and drops all others",
            "count": "counts the sentence",
        }[action.verb]
    if action.verb != "mask":
        return f"{action.verb}s {_target_phrase(target)}"
    is_one_word = target.kind == "node"
    if action.tag is not None:
        tag = f"its {_TAGS[action.tag]}" if is_one_word else f"their {_TAGS[action.tag]}s"
        return f"replaces {_target_phrase(target)} by {tag}"
    text = DEFAULT_MASK if action.replacement is None else action.replacement.text
    note = "" if is_one_word else " (one for each unbroken run of words)"
    return f"replaces {_target_phrase(target)} by {quoted([text])[0]}{note}"


def _target_phrase(target: nodes.Target) -> str:
    names = [name.text for name in target.nodes]
    match target.kind:
        case "node":
            return names[0]
        case "subtree":
            return f"{names[0]} and all words below it in the tree"
    return f"all words from {listed(names, 'to')}"
