"""Fake Slurm commands that run the tasks of a job array on this machine."""

from __future__ import annotations

import sys
from pathlib import Path

SBATCH = """#!{python} -S
import json, os, re, subprocess, sys
home = os.path.dirname(os.path.abspath(__file__))
script = open(sys.argv[1]).read()
array = re.search(r"#SBATCH --array=(\\d+)-(\\d+)%(\\d+)", script)
first, last, cap = map(int, array.groups()) if array else (0, 0, 1)
json.dump(script, open(home + "/script.json", "w"))
runner = '''
import os, subprocess, sys
from concurrent.futures import ThreadPoolExecutor
def one(task):
    numbers = dict(SLURM_ARRAY_JOB_ID="7", SLURM_ARRAY_TASK_ID=str(task)) if %d else {{}}
    subprocess.run(["bash", %r], env=dict(os.environ, SLURM_JOB_ID="7", **numbers))
    open(%r + "/gone", "a").write(("7_%%d" %% task if %d else "7") + "\\\\n")
with ThreadPoolExecutor(%d) as threads:
    list(threads.map(one, range(%d, %d + 1)))
''' % (bool(array), os.path.abspath(sys.argv[1]), home, bool(array), cap, first, last)
subprocess.Popen([sys.executable, "-c", runner], start_new_session=True,
                 stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=open(home + "/errors", "w"))
json.dump([f"7_{{n}}" for n in range(first, last + 1)] if array else ["7"], open(home + "/tasks.json", "w"))
print("Submitted batch job 7")
"""
SRUN = """#!{python} -S
import os, sys
rest = sys.argv[1:]
while rest[0].startswith("--"):
    rest = rest[1 if "=" in rest[0] or rest[0] == "--unbuffered" else 2:]
os.execvp(rest[0], rest)
"""
SQUEUE = """#!{python} -S
import json, os
home = os.path.dirname(os.path.abspath(__file__))
gone = open(home + "/gone").read().split() if os.path.exists(home + "/gone") else []
for task in json.load(open(home + "/tasks.json")):
    print(task + "|" + ("COMPLETED" if task in gone else "RUNNING"))
"""


def install(folder: Path) -> Path:
    """Write the commands into a folder that tests put at the front of PATH."""
    folder.mkdir(parents=True)
    for name, text in (("sbatch", SBATCH), ("srun", SRUN), ("squeue", SQUEUE)):
        (folder / name).write_text(text.format(python=sys.executable))
        (folder / name).chmod(0o755)
    return folder
