"""Settings that several annotators have: their ranges, and what people are told of them."""

from annotations.annotator import SettingTexts

SCORE, GENERATE, AUTO = "score", "generate", "auto"
RATE, MOST, SIDE, TOKENS = (0.001, 1000.0), (1, 512), (0, 8192), (1, 32768)

FRAMES_PER_S = SettingTexts(
    "Frames a second",
    "How many frames of each second of a moving clip the model sees. Grids of frames and single "
    "frames are shown as people see them.",
)
MOST_FRAMES = SettingTexts(
    "Frames at most", "A longer clip is spread over so many frames, evenly from start to end."
)
LONGEST_SIDE = SettingTexts(
    "Longest side, px", "Larger frames are scaled down to it before they are sent; 0 keeps them."
)
MAX_TOKENS = SettingTexts(
    "Longest reply, tokens", "A reply is cut off there. About four letters are a token."
)
REASON = SettingTexts(
    "Reason of a rejection",
    "What stands as the reason where a clip is rejected. Left open, the one of the task's list "
    "that means 'off topic', else the first.",
    of_task="reasons",
)
PROMPT = SettingTexts("Prompt", "The words that the model is given; a template of assets/prompts.")
