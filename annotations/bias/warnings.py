"""What a reader of the figures of bias has to know before trusting them."""

from typing import Any


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
        told.append(f"{embeddings['cut']:,} texts ({share:.1%}) were cut by the embedding model.")
    if not embeddings["instructions"]:
        told.append("The embedding model follows no instructions: the nine agree too easily.")
    if texts["objects_that_say_more"]:
        share = texts["objects_that_say_more"] / texts["objects"]
        told.append(f"{share:.1%} of the objects hold a verb or more than two words.")
    return told
