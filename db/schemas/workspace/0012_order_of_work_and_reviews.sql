-- Recorded as twelfth_schema.
-- The order of work: a task's items are shuffled by this seed as they come in; NULL: the order of import.
ALTER TABLE task ADD COLUMN order_seed TEXT;

-- Reviews that were carried over into questions; a later decision about the same item makes another row.
CREATE TABLE carried_review (
  id INTEGER PRIMARY KEY,
  item_id INTEGER NOT NULL REFERENCES item,
  decided TEXT NOT NULL,                   -- JSON: what was decided, as it was carried over
  revisions TEXT NOT NULL,                 -- JSON: ids of the questions' revisions that say so; none for a discarded row
  author_id INTEGER REFERENCES annotator,  -- who carried it over; NULL: on the command line
  at TEXT NOT NULL
);
CREATE INDEX carried_review_item ON carried_review (item_id);

-- Whose decision a question's revision is.
CREATE TABLE revision_signature (
  question_revision_id INTEGER NOT NULL REFERENCES question_revision,
  annotator_id INTEGER NOT NULL REFERENCES annotator,
  PRIMARY KEY (question_revision_id, annotator_id)
) WITHOUT ROWID;
