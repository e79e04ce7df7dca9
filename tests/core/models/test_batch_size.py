from types import SimpleNamespace

import pytest

torch = pytest.importorskip("torch")

from core.models import _chatting  # noqa: E402

MISTRAL = SimpleNamespace(
    hidden_size=4096, num_hidden_layers=32, num_attention_heads=32, num_key_value_heads=8,
    intermediate_size=14336,
)  # fmt: skip


def test_a_token_takes_keys_and_values_of_every_layer_and_one_layer_on_the_way():
    # 2 bytes x (2 x 32 layers x 8 heads x 128 + 3 x 14,336 + 6 x 4,096).
    assert _chatting.bytes_a_token(MISTRAL, 2) == 266_240


def test_a_model_inside_another_is_counted_by_its_text_part():
    seeing = SimpleNamespace(text_config=MISTRAL, hidden_size=1)
    assert _chatting.bytes_a_token(seeing, 2) == _chatting.bytes_a_token(MISTRAL, 2)


def test_sizes_that_are_not_given_are_those_of_seven_billion():
    assert _chatting.bytes_a_token(SimpleNamespace(), 2) > 500_000


def test_the_batch_follows_free_memory_on_a_gpu(monkeypatch):
    gpu = torch.device("cuda", 0)
    for free, tokens in ((100 * 2**30, 241_979), (2 * 2**30, 24_576)):
        monkeypatch.setattr(torch.cuda, "mem_get_info", lambda _, free=free: (free, 0))
        assert _chatting.tokens_that_fit(MISTRAL, gpu, torch.bfloat16) == tokens


def test_a_processor_keeps_its_small_batches():
    assert _chatting.tokens_that_fit(MISTRAL, torch.device("cpu"), torch.float32) == 4096
