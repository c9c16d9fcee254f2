"""FICT796-799: what corpus statistics are asked for."""

from __future__ import annotations

from fictdsl.diagnostics.codes.code import Code

CODES: tuple[Code, ...] = (
    Code(
        "FICT796",
        "stats-parts",
        "`{key}` makes {found}; a comparison needs {needed}",
        "A divergence is between every two parts of a corpus, an association between one part and all others. A key "
        "that is the same in every sentence makes one part, and one that is different in almost every one, such as "
        "`sent_id`, too many for a divergence; `--until` groups by the beginning of its values, `--part` chooses some.",
        bad="$ fictc stats divergence stores/ewt --by sent_id",
        good="$ fictc stats divergence stores/ewt --by sent_id --until -",
    ),
    Code(
        "FICT797",
        "stats-key",
        "no sentence of {path} has a value of `{key}`",
        "A corpus is divided by `source`, `doc`, `sent_id` or the name of a comment, such as `genre` in "
        "`# genre = weblog`.",
        bad="$ fictc stats frequency stores/childes --by speaker",
        good="$ fictc stats frequency stores/childes --by speaker_role",
    ),
    Code(
        "FICT798",
        "stats-value",
        "no part of the corpus is `{value}` by `{key}`",
        "The part that is asked for is one of the values that sentences have.",
        bad="$ fictc stats association stores/childes --by speaker_role --value mother",
        good="$ fictc stats association stores/childes --by speaker_role --value Mother",
    ),
    Code(
        "FICT799",
        "stats-layer",
        "{path} has no layer `{name}`",
        "Layers of annotation are upos, xpos, deprel and the features that words of the corpus have; form, lemma and "
        "entries of MISC (`misc.Key`) can be counted too.",
        bad="$ fictc stats frequency stores/ewt --layer number",
        good="$ fictc stats frequency stores/ewt --layer Number",
    ),
)
