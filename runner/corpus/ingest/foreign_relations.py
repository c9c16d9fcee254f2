"""Report the relations of a corpus that Universal Dependencies does not define, such as those of UD v1."""

from __future__ import annotations

from fictdsl.diagnostics.codes import diagnostic
from fictdsl.diagnostics.diagnostic import Diagnostic
from fictdsl.semantics import ud
from runner.corpus.store.opening import Store
from runner.counted import counted

_MAX_NAMED = 6
_UD_1_RELATIONS = frozenset({"dobj", "nsubjpass", "csubjpass", "auxpass", "neg", "mwe", "name", "remnant"})


def foreign_relations(store: Store) -> list[Diagnostic]:
    """Return FICT715 with these relations and the number of words that have one, or [] if there are none."""
    relations = store.info.values.get("deprel", {})
    counts = {label: words for label, words in relations.items() if not ud.is_base_relation(label)}
    if not counts:
        return []
    labels = sorted(counts, key=lambda label: (-counts[label], label))
    named = ", ".join(f"{label} ({counts[label]:,})" for label in labels[:_MAX_NAMED])
    omitted = f" and {len(labels) - _MAX_NAMED:,} more" if len(labels) > _MAX_NAMED else ""
    version_hint = "some are relations of UD v1; " if _UD_1_RELATIONS & counts.keys() else ""
    hint = f"{version_hint}filters for UD 2 do not match them, and `# tagset: other` in a filter permits them"
    total = sum(counts.values())
    have = "has" if total == 1 else "have"
    return [diagnostic("FICT715", hint=hint, count=counted(total, "word"), have=have, found=named + omitted)]
