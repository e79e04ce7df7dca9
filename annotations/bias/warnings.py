"""What a reader of the figures of bias has to know before trusting them."""

from typing import Any

from core.number_text import percent_text

# Above this share of cut texts a figure is of something else than it says: late frames are gone.
MOST_CUT = 0.01
_SPANS = {"frame": "single frames", "sequence": "eight frames as one text"}


def serious(figures: dict[str, Any]) -> list[str]:
    """What makes some of the figures wrong, a sentence each; [] where nothing does."""
    told: list[str] = []
    embeddings = figures["embeddings"]
    for row in embeddings["cut_of"]:
        if row["cut"] and row["cut"] > MOST_CUT * row["texts"]:
            share = row["cut"] / row["texts"]
            told.append(
                f"Do not rely on {row['concept']} of {_SPANS[row['of']]}: {row['cut']:,} of "
                f"{row['texts']:,} texts ({percent_text(share)}) are too long for the embedding "
                "model, which never read their ends. Choose a model that reads longer texts."
            )
    if embeddings["stand_in"]:
        told.append(f"{embeddings['model']}: {embeddings['stand_in']}")
    return told


def warnings(figures: dict[str, Any]) -> list[str]:
    """What a reader of the figures has to know, a sentence each."""
    videos, embeddings, texts = figures["videos"], figures["embeddings"], figures["texts"]
    told: list[str] = []
    if videos["without_description"]:
        told.append(f"{videos['without_description']:,} test videos have no description.")
    if videos["incomplete"]:
        told.append(f"{videos['incomplete']:,} test videos have fewer than eight texts of a kind.")
    if embeddings["cut"] is None:
        told.append("The embedding model does not say which texts it cuts.")
    elif embeddings["cut"]:
        share = embeddings["cut"] / max(1, embeddings["texts"])
        told.append(
            f"{embeddings['cut']:,} texts ({percent_text(share)}) were cut by the embedding model."
        )
    if not embeddings["instructions"]:
        told.append("The embedding model follows no instructions: the nine agree too easily.")
    if texts["objects_that_say_more"]:
        share = texts["objects_that_say_more"] / texts["objects"]
        told.append(f"{percent_text(share)} of the objects hold a verb or more than two words.")
    return told
