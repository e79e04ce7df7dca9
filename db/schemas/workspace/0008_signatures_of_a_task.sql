-- Recorded as eighth_schema.
-- How many authors sign what settles a disagreement in a task; NULL: whoever decides says so.
ALTER TABLE task ADD COLUMN signatures INTEGER CHECK (signatures BETWEEN 1 AND 9);
