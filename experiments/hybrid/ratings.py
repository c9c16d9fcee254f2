"""Write the rated sentences of the MSR compression data set as JSON lines for `fictc annotate`.

python experiments/hybrid/ratings.py data/msr-compression > ratings.jsonl
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from runner.score.ratings import compressions

if __name__ == "__main__":
    for text, rating in compressions(Path(sys.argv[1])):
        sys.stdout.write(json.dumps({"text": text, "rating": rating}, ensure_ascii=False) + "\n")
