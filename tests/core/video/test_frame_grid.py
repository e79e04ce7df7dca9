import cv2
import numpy as np
import pytest

from core.video.frame_grid import frame_grid, jpeg, tile_size
from core.video.sample import SampledFrame


def seen(data: bytes) -> np.ndarray:
    bgr = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    return np.asarray(bgr)[:, :, ::-1]


def plain(index: int, colour: tuple[int, int, int], width: int = 64, height: int = 36):
    image = np.full((height, width, 3), colour, np.uint8)
    return SampledFrame(index, index / 25, "exact", image)


def test_tiles_stand_in_reading_order():
    colours = [(200, 0, 0), (0, 200, 0), (0, 0, 200), (200, 200, 0), (0, 200, 200)]
    sheet = seen(frame_grid([plain(i, c) for i, c in enumerate(colours)], 3, 64, 36))
    assert sheet.shape == (72, 192, 3)
    for place, colour in enumerate(colours):
        middle = sheet[place // 3 * 36 + 18, place % 3 * 64 + 32].astype(int)
        assert np.abs(middle - colour).max() < 12


def test_a_missing_frame_is_drawn_as_missing():
    sheet = seen(frame_grid([SampledFrame(7, 0.3, "missing", None)], 1, 160, 90))
    grey = sheet[:40].reshape(-1, 3)
    assert np.abs(grey.astype(int) - (44, 44, 50)).max() < 8
    assert sheet[60:].max() > 150  # the words


def test_a_corrupt_frame_shows_its_mark():
    image = np.zeros((90, 160, 3), np.uint8)
    clean = seen(frame_grid([SampledFrame(0, 0, "exact", image)], 1, 160, 90))
    marked = seen(frame_grid([SampledFrame(0, 0, "corrupt", image)], 1, 160, 90))
    assert clean.max() < 20
    assert marked.max() > 120


def test_a_tall_frame_is_letterboxed_and_not_stretched():
    sheet = seen(frame_grid([plain(0, (250, 250, 250), 36, 64)], 1, 64, 64))
    bright = sheet[:, :, 0] > 128
    assert bright[32].sum() == 36
    assert bright[:, 32].sum() == 64


@pytest.mark.parametrize(
    ("video", "tile"),
    [((1920, 1080), (320, 180)), ((1080, 1920), (180, 320)), ((480, 480), (240, 240))],
)
def test_tiles_keep_the_shape_and_the_area(video: tuple[int, int], tile: tuple[int, int]):
    assert tile_size(*video) == tile


def test_extreme_shapes_stay_pictures():
    width, height = tile_size(5000, 1)
    assert width / height <= 8.2
    assert tile_size(1, 1) == (240, 240)


def test_jpeg_keeps_colours_the_right_way_round():
    red = np.full((32, 32, 3), (220, 20, 30), np.uint8)
    assert np.abs(seen(jpeg(red, 95))[16, 16].astype(int) - (220, 20, 30)).max() < 10
