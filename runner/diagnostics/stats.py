"""FICT796–799: invalid arguments of corpus statistics."""

from __future__ import annotations

from fictdsl.diagnostics.codes.code import Code

CODES: tuple[Code, ...] = (
    Code(
        "FICT796",
        "stats-parts",
        "`{key}` divides the corpus into {found}; a comparison needs {needed}",
        "A divergence compares every two parts of a corpus, an association one part with all others. A key with the "
        "same value in every sentence has only one part. A key with a different value in almost every sentence, such "
        "as `sent_id`, has too many parts for a divergence. `--until` groups values by their beginning; `--part` "
        "selects parts.",
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
        "no sentence of the corpus has the value `{value}` of `{key}`",
        "`--value` and `--part` select parts of the corpus. At least one sentence must have each of these values of "
        "the key. Values are case-sensitive.",
        bad="$ fictc stats association stores/childes --by speaker_role --value mother",
        good="$ fictc stats association stores/childes --by speaker_role --value Mother",
    ),
    Code(
        "FICT799",
        "stats-layer",
        "{path} has no layer `{name}`",
        "The annotation layers are upos, xpos, deprel and the features of the corpus. form, lemma and entries of MISC "
        "(`misc.Key`) can be counted too.",
        bad="$ fictc stats frequency stores/ewt --layer number",
        good="$ fictc stats frequency stores/ewt --layer Number",
    ),
)
