-- Recorded as third_schema.
-- The author's side: where a task's items come from, and what authors did to single items.
ALTER TABLE task ADD COLUMN source TEXT NOT NULL DEFAULT 'questions'; -- 'rows': of a file, else what the workspace holds
ALTER TABLE item ADD COLUMN skips INTEGER NOT NULL DEFAULT 0;         -- current skips since an author last opened it again

CREATE TABLE item_event (
  id INTEGER PRIMARY KEY,
  item_id INTEGER NOT NULL REFERENCES item,
  author_id INTEGER REFERENCES annotator,  -- NULL: on the command line
  action TEXT NOT NULL,                    -- 'opened again', 'withdrawn', 'priority 3', 'overlap 5'
  words TEXT NOT NULL DEFAULT '',          -- why, for people
  at REAL NOT NULL                         -- Unix time, s
);
CREATE INDEX item_event_item ON item_event (item_id);
