"""Text in pictures, by RapidOCR: its models come inside its package."""

from typing import Any

import numpy as np

from core.model import ItemError, Kind, Line, LoadOptions, Picture, Source
from core.model_sources import INSTALL_SMALL, first_line, needed

TITLE = "On-screen text (RapidOCR)"
KINDS: tuple[Kind, ...] = ("ocr",)


def likeness(kind: Kind, source: Source) -> int:
    """3 for ``package:rapidocr``."""
    return 3 if source.scheme == "package" and source.rest == "rapidocr" else 0


def load(kind: Kind, source: Source, options: LoadOptions) -> "RapidOcr":
    """The model."""
    return RapidOcr(source.name)


class RapidOcr:
    """PP-OCR by ONNX Runtime; see `core.model.Ocr`."""

    is_stand_in = False
    stand_in_words = ""

    def __init__(self, name: str):
        """Loads the models of the package.

        Raises:
            NotInstalled: without the package rapidocr.
        """
        import logging

        package = needed("rapidocr", INSTALL_SMALL, "Reading on-screen text")
        needed("onnxruntime", INSTALL_SMALL, "Reading on-screen text")
        logging.getLogger("RapidOCR").setLevel(logging.ERROR)
        self.name = name
        self.device = "cpu"
        self._reader: Any = package.RapidOCR(params={"Global.log_level": "error"})

    def read(self, image: Picture) -> tuple[Line, ...]:
        """The lines of text, from top to bottom.

        Raises:
            ItemError: if the reader fails on this picture.
        """
        if image.ndim != 3 or image.shape[2] != 3 or image.dtype != np.uint8:
            raise ValueError(f"Got a picture of {image.dtype} {image.shape}: give RGB (H, W, 3).")
        try:
            result = self._reader(np.ascontiguousarray(image[..., ::-1]))
        except Exception as error:
            raise ItemError("the model failed", first_line(error)) from None
        if result.txts is None or result.boxes is None:
            return ()
        lines = [
            Line(str(text), float(score), tuple((float(x), float(y)) for x, y in box))
            for text, score, box in zip(result.txts, result.scores, result.boxes, strict=True)
        ]
        return tuple(sorted(lines, key=lambda line: (line.box[0][1], line.box[0][0])))
