-- Recorded as seventh_schema.
-- Runs: one model on the items of one task, which holds the condition. What it answers stands among the
-- annotations, uncounted for the decision of people; what it said to get there stands here.
CREATE TABLE run (
  id INTEGER PRIMARY KEY,
  annotator_id INTEGER NOT NULL REFERENCES annotator,
  task_id INTEGER NOT NULL REFERENCES task,
  method TEXT NOT NULL,                    -- 'imported', or a plug-in of annotations/annotators
  facts TEXT NOT NULL DEFAULT '{}',        -- JSON: model, prompt with its version, files it came from, settings
  status TEXT NOT NULL DEFAULT 'finished' CHECK (status IN ('waiting', 'running', 'stopped', 'finished', 'failed')),
  progress TEXT NOT NULL DEFAULT '{}',     -- JSON: what the engine says of it: done, wanted, rate, process
  created_at TEXT NOT NULL,
  UNIQUE (annotator_id, task_id)
);

-- What a model replied, how it was read, and what others made of it.
CREATE TABLE prediction (
  annotation_id INTEGER PRIMARY KEY REFERENCES annotation,
  run_id INTEGER NOT NULL REFERENCES run,
  reply TEXT,                              -- raw, thinking included; NULL: none came
  state TEXT NOT NULL CHECK (state IN ('read', 'unread', 'refused', 'several', 'empty')),
  rule TEXT NOT NULL DEFAULT '',           -- which rule read it, or the kind of refusal
  words TEXT NOT NULL DEFAULT '',          -- why, in words for a person
  confidence TEXT,                         -- JSON: probability of each answer, {"0": 0.7, "1": 0.3}; NULL: not known
  score REAL,                              -- a number the model gave, such as a similarity; NULL: none
  theirs REAL,                             -- score by the harness it came from; shown beside ours only
  theirs_name TEXT NOT NULL DEFAULT '',
  theirs_read TEXT NOT NULL DEFAULT ''     -- what the harness read out of the reply
);
CREATE INDEX prediction_run ON prediction (run_id);

-- Items that gave no answer, each with its reason; a later answer removes the row.
CREATE TABLE run_error (
  run_id INTEGER NOT NULL REFERENCES run,
  item_id INTEGER NOT NULL REFERENCES item,
  reason TEXT NOT NULL,
  tries INTEGER NOT NULL DEFAULT 1,
  at REAL NOT NULL,                        -- Unix time, s
  PRIMARY KEY (run_id, item_id)
);
