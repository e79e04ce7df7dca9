-- What people label of a filter's items is drawn by chance: with what chance each item was drawn stays, since every
-- estimate from the labels weighs by it.
CREATE TABLE label_sample (
  id INTEGER PRIMARY KEY,
  run_id INTEGER NOT NULL REFERENCES run,
  task_id INTEGER NOT NULL REFERENCES task,  -- in which people label what was drawn
  seed INTEGER NOT NULL,
  threshold REAL,                            -- near which more was drawn; NULL: the filter's own verdicts
  created_at TEXT NOT NULL
);
CREATE TABLE label_chance (
  sample_id INTEGER NOT NULL REFERENCES label_sample,
  item_id INTEGER NOT NULL REFERENCES item,  -- of the filter's own task
  chance REAL NOT NULL CHECK (chance > 0 AND chance <= 1),
  drawn INTEGER NOT NULL,
  PRIMARY KEY (sample_id, item_id)
) WITHOUT ROWID;
