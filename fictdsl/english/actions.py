"""What a filter does, as the opening of its description."""

from __future__ import annotations

from collections.abc import Sequence

from fictdsl.english.phrases import joined, listed, quoted
from fictdsl.syntax import nodes

DEFAULT_MASK = "<mask>"
_TAGS = {"upos": "UPOS tag", "xpos": "XPOS tag", "deprel": "relation label"}
_EVERY = {"remove": "Removes every sentence", "keep": "Keeps only the sentences", "count": "Counts every sentence"}


def opening(actions: Sequence[nodes.Action], words: str) -> str:
    """The first line; `words` says which words the sentence must have, empty where it names none."""
    if len(actions) < 2 and all(action.target.kind == "sentence" for action in actions):
        verb = actions[0].verb if actions else "remove"
        have = "have" if verb == "keep" else "has"
        return f"{_EVERY[verb]} {f'that {have} {words} such that' if words else 'of which this is true:'}"
    done = [_done(action) for action in actions]
    first = done[0] if len(done) == 1 else joined(done, "and")
    what = f"wherever a sentence has {words} such that" if words else "wherever this is true of a sentence:"
    return f"{first[:1].upper()}{first[1:]}, {what}"


def _done(action: nodes.Action) -> str:
    target = action.target
    if target.kind == "sentence":
        return {
            "remove": "removes the sentence",
            "keep": "keeps the sentence and drops all others",
            "count": "counts the sentence",
        }[action.verb]
    if action.verb != "mask":
        return f"{action.verb}s {_words(target)}"
    one = target.kind == "node"
    if action.tag is not None:
        return f"replaces {_words(target)} by {'its' if one else 'their'} {_TAGS[action.tag]}{'' if one else 's'}"
    text = DEFAULT_MASK if action.replacement is None else action.replacement.text
    return f"replaces {_words(target)} by {quoted([text])[0]}{'' if one else ' (one for each unbroken run of words)'}"


def _words(target: nodes.Target) -> str:
    names = [name.text for name in target.nodes]
    match target.kind:
        case "node":
            return names[0]
        case "subtree":
            return f"{names[0]} and all words below it in the tree"
    return f"all words from {listed(names, 'to')}"
