"""An LSTM language model with tied embeddings, registered with transformers."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional as F
from transformers import AutoConfig, AutoModelForCausalLM, PreTrainedConfig, PreTrainedModel
from transformers.modeling_outputs import CausalLMOutput

IGNORED = -100  # the label of tokens that are not predicted


class LstmConfig(PreTrainedConfig):  # type: ignore[misc]
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
    """An embedding, LSTM layers with dropout around each, and an output layer with the weights of the embedding."""

    config_class = LstmConfig
    base_model_prefix = "lstm"
    accepts_loss_kwargs = False

    def __init__(self, config: LstmConfig) -> None:
        super().__init__(config)
        self.embedding = nn.Embedding(config.vocab_size, config.hidden_size)
        dropout = config.dropout if config.num_hidden_layers > 1 else 0.0  # between layers
        self.lstm = nn.LSTM(config.hidden_size, config.hidden_size, config.num_hidden_layers, dropout=dropout)
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
        """Initialise uniformly in ±1/√hidden as torch does, and add `forget_bias` to the bias of the forget gate."""
        hidden_size = lstm.hidden_size
        for name, parameter in lstm.named_parameters():
            nn.init.uniform_(parameter, -(hidden_size**-0.5), hidden_size**-0.5)
            # some versions of transformers call this for loaded parameters too, and make `nn.init` skip them
            if name.startswith("bias_ih") and not getattr(parameter, "_is_hf_initialized", False):
                with torch.no_grad():
                    parameter[hidden_size : 2 * hidden_size] += self.config.forget_bias

    def get_input_embeddings(self) -> nn.Module:
        return self.embedding

    def states(self, input_ids: Tensor) -> Tensor:
        # the kernel is 20 % faster with time as the first dimension; padding follows the tokens and cannot affect them
        embedded = self.dropout(self.embedding(input_ids.t().contiguous()))
        output, _ = self.lstm(embedded)
        states: Tensor = self.dropout(output).transpose(0, 1)
        return states

    def logits(self, states: Tensor) -> Tensor:
        return F.linear(states, self.embedding.weight, self.output_bias)

    def forward(self, input_ids: Tensor, labels: Tensor | None = None, **ignored: Any) -> CausalLMOutput:  # noqa: ARG002
        """Return logits (B, T, V) and the mean float32 loss over `labels` (B, T): `input_ids`, or −100 if ignored."""
        logits = self.logits(self.states(input_ids))
        loss = None
        if labels is not None:
            predicted = logits[:, :-1].float().flatten(0, 1)
            loss = F.cross_entropy(predicted, labels[:, 1:].flatten(), ignore_index=IGNORED)
        return CausalLMOutput(loss=loss, logits=logits)


AutoConfig.register("fict-lstm", LstmConfig, exist_ok=True)
AutoModelForCausalLM.register(LstmConfig, LstmForCausalLM, exist_ok=True)
