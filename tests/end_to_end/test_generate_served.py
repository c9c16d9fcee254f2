"""Text from `transformers serve` with a tiny chat model saved here: the real protocol, prompts to injected units."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest
from click.testing import CliRunner

from runner.cli import fictc

for package in ("httpx", "fastapi", "uvicorn", "openai"):
    pytest.importorskip(package, reason=f"{package} is not installed: transformers serve needs it")

pytestmark = pytest.mark.slow


def tiny(folder: Path) -> Path:
    """A chat model of a few thousand weights, with its tokenizer and a chat template."""
    import torch
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
    from transformers import GPT2Config, GPT2LMHeadModel, PreTrainedTokenizerFast

    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel()
    tokenizer.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(vocab_size=300, special_tokens=["<eos>"], initial_alphabet=alphabet)
    tokenizer.train_from_iterator(["only the boys who she saw have ever slept"], trainer)
    fast = PreTrainedTokenizerFast(tokenizer_object=tokenizer, eos_token="<eos>", pad_token="<eos>")
    fast.chat_template = "{% for m in messages %}{{ m['content'] }}{% endfor %}"
    torch.manual_seed(1)
    size = len(fast)
    model = GPT2LMHeadModel(GPT2Config(vocab_size=size, n_positions=1024, n_embd=16, n_layer=1, n_head=2))
    model.generation_config.exponential_decay_length_penalty = (5, 3.0)  # it ends, where a random model would go on
    model.generation_config.pad_token_id = model.generation_config.eos_token_id = fast.eos_token_id
    model.save_pretrained(folder)
    fast.save_pretrained(folder)
    return folder


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


@pytest.fixture
def served(tmp_path):
    model, port = tiny(tmp_path / "tiny-chat"), free_port()
    log = (tmp_path / "serve.log").open("w")
    command = [sys.executable, "-c", "from transformers.cli.transformers import main; main()"]
    arguments = ["serve", str(model), "--host", "127.0.0.1", "--port", str(port), "--device", "cpu"]
    process = subprocess.Popen([*command, *arguments], stdout=log, stderr=log, env=None)
    try:
        _wait(process, port, tmp_path / "serve.log")
        yield f"http://127.0.0.1:{port}/v1", model
    finally:
        process.terminate()
        process.wait(20)
        log.close()


def _wait(process: subprocess.Popen, port: int, log: Path) -> None:
    import httpx

    for _ in range(600):
        if process.poll() is not None:
            pytest.skip(f"transformers serve does not run here: {log.read_text()[-300:]}")
        try:
            if httpx.get(f"http://127.0.0.1:{port}/health", timeout=2).status_code == 200:
                return
        except httpx.TransportError:
            time.sleep(0.2)
    pytest.skip(f"transformers serve did not come up: {log.read_text()[-300:]}")


def test_texts_of_a_served_chat_model(served, tmp_path):
    url, model = served
    output = tmp_path / "only.jsonl"
    asking = ["--endpoint", url, "--model", str(model), "--max-tokens", "20", "--pause", "0.1", "--parallel", "2"]
    done = CliRunner().invoke(
        fictc, ["generate", "only_npi_scope", "-o", str(output), "-n", "120", "--every", "40", *asking]
    )
    assert done.exit_code == 0, done.output
    lines = [json.loads(line) for line in output.read_text(encoding="utf-8").splitlines()]
    assert len(lines) == 3
    assert all(line["paradigm"] == "only_npi_scope" for line in lines)
    records = [json.loads(line) for line in output.with_name("only.jsonl.answers").read_text().splitlines()]
    kept = [record for record in records if record["problem"] is None]
    assert sorted(record["number"] for record in kept) == [1, 2, 3]
    answers = [json.loads(record["answer"]) for record in kept]
    assert all(answer["object"] == "chat.completion" for answer in answers)
    assert all(answer["usage"]["completion_tokens"] <= 20 for answer in answers)
