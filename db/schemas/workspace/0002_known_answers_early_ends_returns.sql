-- Recorded as second_schema.
-- What tasks of every kind need: known answers, early ends, named people, returned answers.
ALTER TABLE item ADD COLUMN role TEXT NOT NULL DEFAULT 'work'
  CHECK (role IN ('work', 'practice', 'attention'));
ALTER TABLE item ADD COLUMN expected TEXT;                       -- JSON: the known answer; never sent
ALTER TABLE item ADD COLUMN settled INTEGER NOT NULL DEFAULT 0;  -- no further answer can change the decision
ALTER TABLE task ADD COLUMN adaptive INTEGER NOT NULL DEFAULT 0; -- ask only while the decision is open
ALTER TABLE task ADD COLUMN skip_limit INTEGER NOT NULL DEFAULT 3; -- so many skips send an item to an author
ALTER TABLE task ADD COLUMN rate REAL;                           -- pay per hour; NULL: the workspace's

-- Who may work on what: without a row everybody on everything; with rows only those named.
CREATE TABLE assignment (
  id INTEGER PRIMARY KEY,
  task_id INTEGER NOT NULL REFERENCES task,
  item_id INTEGER REFERENCES item,         -- NULL: the whole task
  annotator_id INTEGER NOT NULL REFERENCES annotator,
  created_at TEXT NOT NULL
);
CREATE UNIQUE INDEX assignment_once ON assignment (task_id, coalesce(item_id, -1), annotator_id);

-- An answer returned to its giver with a comment; it is done when they answer again.
CREATE TABLE remark (
  id INTEGER PRIMARY KEY,
  annotation_id INTEGER NOT NULL REFERENCES annotation,
  author_id INTEGER NOT NULL REFERENCES annotator,
  text TEXT NOT NULL,
  created_at TEXT NOT NULL
);
CREATE INDEX remark_annotation ON remark (annotation_id);
