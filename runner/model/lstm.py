"""Token ids to next-word logits by an LSTM language model with tied embeddings, as a transformers model."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional as F
from transformers import AutoConfig, AutoModelForCausalLM, PreTrainedConfig, PreTrainedModel
from transformers.modeling_outputs import CausalLMOutput

IGNORED = -100  # a label that is not predicted


class LstmConfig(PreTrainedConfig):  # type: ignore[misc]
    """Sizes of an LSTM language model; embedding and hidden size are one, since their weights are tied."""

    model_type = "fict-lstm"

    def __init__(
        self,
        vocab_size: int = 50_002,
        hidden_size: int = 1024,
        num_hidden_layers: int = 2,
        dropout: float = 0.1,
        embedding_deviation: float = 0.1,
        forget_bias: float = 1.0,
        **others: Any,
    ) -> None:
        self.vocab_size = vocab_size
        self.hidden_size = hidden_size
        self.num_hidden_layers = num_hidden_layers
        self.dropout = dropout
        self.embedding_deviation = embedding_deviation
        self.forget_bias = forget_bias
        super().__init__(**others)


class LstmForCausalLM(PreTrainedModel):  # type: ignore[misc]
    """Embedding, LSTM layers with dropout around and between them, and the embedding again as output layer."""

    config_class = LstmConfig
    base_model_prefix = "lstm"
    accepts_loss_kwargs = False

    def __init__(self, config: LstmConfig) -> None:
        super().__init__(config)
        self.embedding = nn.Embedding(config.vocab_size, config.hidden_size)
        between = config.dropout if config.num_hidden_layers > 1 else 0.0
        self.lstm = nn.LSTM(config.hidden_size, config.hidden_size, config.num_hidden_layers, dropout=between)
        self.dropout = nn.Dropout(config.dropout)
        self.output_bias = nn.Parameter(torch.empty(config.vocab_size))
        self.post_init()
        with torch.no_grad():
            self.output_bias.zero_()

    def _init_weights(self, module: nn.Module) -> None:
        match module:
            case nn.Embedding():
                nn.init.normal_(module.weight, 0.0, self.config.embedding_deviation)
            case nn.LSTM():
                self._init_lstm(module)
            case LstmForCausalLM():
                nn.init.zeros_(module.output_bias)
            case _:
                pass

    def _init_lstm(self, lstm: nn.LSTM) -> None:
        """Uniform ±1/√hidden as in torch; the forget gate starts open."""
        size = lstm.hidden_size
        for name, parameter in lstm.named_parameters():
            nn.init.uniform_(parameter, -(size**-0.5), size**-0.5)
            if name.startswith("bias_ih"):
                with torch.no_grad():
                    parameter[size : 2 * size] += self.config.forget_bias

    def get_input_embeddings(self) -> nn.Module:
        """The one embedding, which is the output layer too."""
        return self.embedding

    def states(self, input_ids: Tensor) -> Tensor:
        """Ids (B, T) to the last layer's states (B, T, H), each before the output layer."""
        # time first: the kernel is a fifth faster, and padding on the right never reaches a word on its left
        embedded = self.dropout(self.embedding(input_ids.t().contiguous()))
        output, _ = self.lstm(embedded)
        states: Tensor = self.dropout(output).transpose(0, 1)
        return states

    def logits(self, states: Tensor) -> Tensor:
        """States (…, H) to unnormalised scores over the vocabulary (…, V)."""
        return F.linear(states, self.embedding.weight, self.output_bias)

    def forward(self, input_ids: Tensor, labels: Tensor | None = None, **ignored: Any) -> CausalLMOutput:  # noqa: ARG002
        """Logits (B, T, V); with `labels` (B, T; −100 ignored) the mean float32 loss over all predicted tokens.

        Labels are `input_ids`, shifted here, as in every causal model of transformers. Rows are padded on the right.
        """
        logits = self.logits(self.states(input_ids))
        loss = None
        if labels is not None:
            predicted = logits[:, :-1].float().flatten(0, 1)
            loss = F.cross_entropy(predicted, labels[:, 1:].flatten(), ignore_index=IGNORED)
        return CausalLMOutput(loss=loss, logits=logits)


AutoConfig.register("fict-lstm", LstmConfig, exist_ok=True)
AutoModelForCausalLM.register(LstmConfig, LstmForCausalLM, exist_ok=True)
