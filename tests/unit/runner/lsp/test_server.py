import subprocess
import sys
from pathlib import Path


def test_the_server_loads_no_model_no_database_and_no_corpus_tools():
    script = (
        "import sys; from runner.lsp.server import make_server; from tests.support.documents import snapshot;"
        "server = make_server(); snapshot('fict 1 filter f { match { V } }').diagnostics;"
        "heavy = {'torch', 'duckdb', 'stanza', 'transformers', 'pyarrow', 'numpy', 'pydantic', 'sqlglot'};"
        "assert 'fictdsl.lint.rules.never_true' in sys.modules; sys.exit(', '.join(heavy & set(sys.modules)) or 0)"
    )
    root = Path(__file__).parents[4]
    done = subprocess.run([sys.executable, "-c", script], cwd=root, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_help_says_where_to_read_on():
    done = subprocess.run(
        [sys.executable, "-m", "runner.cli", "lsp", "--help"], capture_output=True, text=True, check=True
    )
    assert "docs/editors.md" in done.stdout
