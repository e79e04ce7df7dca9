"""A small real language model, trained on the spot to write given replies to given prompts.

No package that may be had brings a model that writes questions well enough to be taken. This one
has a transformer's true code, tokenizer, chat template and files, and 100,000 weights of its own;
it writes what it was trained to write, token by token, and nothing else of use.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

TEMPLATE = (
    "{% for message in messages %}<|{{ message['role'] }}|>{{ message['content'] }}{% endfor %}"
    "{% if add_generation_prompt %}<|assistant|>{% endif %}"
)
SPECIAL = ["<pad>", "<end>", "<|system|>", "<|user|>", "<|assistant|>"]
MOST_STEPS = 500
LEARNED = 0.01  # mean loss of a token; all replies come out to the letter well before

Lesson = tuple[str, str, str]  # system text, prompt, reply


def train_writer(folder: Path, lessons: Sequence[Lesson]) -> int:
    """Save a model that replies as in the lessons to a folder; the count of training steps.

    Raises:
        RuntimeError: if it has not learned them after 500 steps.
    """
    import torch
    import transformers

    torch.manual_seed(0)
    threads = torch.get_num_threads()
    # Small matrices: more threads only wait for each other.
    torch.set_num_threads(1)
    tokenizer = _tokenizer(folder, [text for lesson in lessons for text in lesson])
    config = transformers.LlamaConfig(
        vocab_size=len(tokenizer), hidden_size=64, intermediate_size=128, num_hidden_layers=2,
        num_attention_heads=4, num_key_value_heads=4, max_position_embeddings=4096,
        pad_token_id=0, eos_token_id=1, bos_token_id=1, tie_word_embeddings=True,
    )  # fmt: skip
    model = transformers.AutoModelForCausalLM.from_config(config)
    batch = _batch(tokenizer, lessons)
    optimizer = torch.optim.AdamW(model.parameters(), lr=4e-3, weight_decay=0)
    for step in range(1, MOST_STEPS + 1):
        out = model(**batch)
        out.loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        if out.loss.item() < LEARNED:
            torch.set_num_threads(threads)
            model.save_pretrained(folder)
            return step
    raise RuntimeError(f"The writer has not learned its {len(lessons)} replies.")


def _tokenizer(folder: Path, texts: Sequence[str]) -> Any:
    import transformers
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers

    plain = Tokenizer(models.BPE())
    plain.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    plain.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=900, special_tokens=SPECIAL, show_progress=False,
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
    )  # fmt: skip
    plain.train_from_iterator(texts, trainer)
    tokenizer = transformers.PreTrainedTokenizerFast(
        tokenizer_object=plain, pad_token="<pad>", eos_token="<end>"
    )
    tokenizer.add_special_tokens({"additional_special_tokens": SPECIAL[2:]})
    tokenizer.chat_template = TEMPLATE
    tokenizer.save_pretrained(folder)
    return tokenizer


def _batch(tokenizer: Any, lessons: Sequence[Lesson]) -> dict[str, Any]:
    """Prompts with their replies, padded on the right; only replies count for the loss."""
    import torch

    rows: list[tuple[list[int], list[int]]] = []
    for system, prompt, reply in lessons:
        messages = [{"role": "system", "content": system}] if system else []
        messages.append({"role": "user", "content": prompt})
        text = tokenizer.apply_chat_template(messages, tokenize=False, add_generation_prompt=True)
        asked = tokenizer(text, add_special_tokens=False)["input_ids"]
        rows.append((asked, [*tokenizer(reply, add_special_tokens=False)["input_ids"], 1]))
    longest = max(len(asked) + len(written) for asked, written in rows)
    ids = torch.zeros((len(rows), longest), dtype=torch.long)
    labels = torch.full((len(rows), longest), -100)
    mask = torch.zeros((len(rows), longest), dtype=torch.long)
    for row, (asked, written) in enumerate(rows):
        end = len(asked) + len(written)
        ids[row, :end] = torch.tensor(asked + written)
        labels[row, len(asked) : end] = torch.tensor(written)
        mask[row, :end] = 1
    return {"input_ids": ids, "labels": labels, "attention_mask": mask}
