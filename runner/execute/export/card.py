"""The dataset card of exported corpora: `README.md` with the YAML that the Hugging Face Hub and `datasets` read."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from runner.steps.interventions import describe_condition
from runner.steps.plan import Plan
from runner.steps.variants import Variant

SPLITS = {"train": "train", "valid": "validation", "test": "test"}  # split in `datasets` by text of the manifest
_BODY = """# {name}

{description}The training corpora of an experiment in filtered corpus training, written by `fictc corpora`. All are
derived from one base corpus; some may also contain injected text. They share the validation and test texts, except
where a condition rewrites these. The licence is that of the base corpus, and for injected text that of its source.

| configuration | training corpus | sentences |
|---|---|---|
{rows}

```python
from datasets import load_dataset

load_dataset("PATH", "{example}")
```

| column | content |
|---|---|
| `text` | the sentence, as the models of this condition read it |
| `source`, `number` | the file that it comes from and its number there; `injected` for injected text |
| `sent_id`, `document` | its identifier and its document in that file, if it has them |
| `metadata` | its other comments in CoNLL-U, as keys and values |
"""


@dataclass(frozen=True, slots=True)
class ExportedCorpus:
    """A training corpus with its number of sentences, and the file of each of its texts, relative to the folder."""

    variant: Variant
    sentences: int
    files: Mapping[str, str]

    @property
    def name(self) -> str:
        """The name of the configuration: CONDITION, CONDITION-seed-N or CONDITION-draw-K."""
        return self.variant.name.replace("/", "-")


def dataset_card(plan: Plan, corpora: Sequence[ExportedCorpus]) -> str:
    """Return the card, with a configuration for each training corpus."""
    experiment = plan.resolved.manifest.experiment
    front_matter = [f"pretty_name: {json.dumps(experiment.name)}", "configs:"]
    for corpus in corpora:
        front_matter += _configuration(corpus, is_default=corpus is corpora[0])
    description = f"{experiment.description}\n\n" if experiment.description else ""
    rows = "\n".join(_row(plan, corpus) for corpus in corpora)
    body = _BODY.format(name=experiment.name, description=description, rows=rows, example=corpora[-1].name)
    return "\n".join(["---", *front_matter, "---", "", body])


def _row(plan: Plan, corpus: ExportedCorpus) -> str:
    description = describe_condition(corpus.variant.condition, plan.resolved).replace("|", r"\|")
    return f"| `{corpus.name}` | {description} | {corpus.sentences:,} |"


def _configuration(corpus: ExportedCorpus, *, is_default: bool) -> list[str]:
    lines = [f"- config_name: {json.dumps(corpus.name)}"]
    if is_default:
        lines.append("  default: true")
    lines.append("  data_files:")
    for text, path in corpus.files.items():
        lines += [f"  - split: {SPLITS[text]}", f"    path: {json.dumps(path)}"]
    return lines
