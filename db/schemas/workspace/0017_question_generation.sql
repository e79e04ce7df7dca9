-- Recorded as schema_of_generation.
-- Questions written by models, in steps: one row for each model that writes in one way.
CREATE TABLE generation (
  id INTEGER PRIMARY KEY,
  identity TEXT NOT NULL UNIQUE,           -- hash of generator, model, settings and the prompts' words
  generator TEXT NOT NULL,                 -- a plug-in of annotations/generators
  model TEXT NOT NULL,
  settings TEXT NOT NULL,                  -- JSON
  prompts TEXT NOT NULL,                   -- JSON: {step: {"name", "text", "version"}}
  stand_in TEXT NOT NULL DEFAULT '',       -- what has to be said of a model that only stands in
  task_id INTEGER REFERENCES task,         -- the review task of its drafts
  created_at TEXT NOT NULL
);
-- Every reply as it came, also those that were refused, with the reason.
CREATE TABLE generation_reply (
  generation_id INTEGER NOT NULL REFERENCES generation,
  subject TEXT NOT NULL,                   -- what it is about, such as 'clip:12' or 'question:count/17'
  step TEXT NOT NULL,
  attempt INTEGER NOT NULL,                -- 1, 2, ...
  reply TEXT NOT NULL,
  problem TEXT NOT NULL DEFAULT '',        -- why it was refused; '': it was taken
  value TEXT,                              -- JSON: what was read; NULL: refused
  stored_at REAL NOT NULL,                 -- Unix time, s
  PRIMARY KEY (generation_id, subject, step, attempt)
) WITHOUT ROWID;
