-- Recorded as fifth_schema.
-- Work that is put aside, and what a resolution changes in the question.
ALTER TABLE annotator ADD COLUMN aside_at TEXT;  -- ISO 8601; since then their answers are kept but do not count
ALTER TABLE resolution ADD COLUMN changes TEXT;  -- JSON: text, options and key of the question from then on; NULL: none
