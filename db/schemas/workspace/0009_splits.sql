-- Recorded as ninth_schema.
-- A split: questions that a rule over runs kept, out of all that it looked at. A split is never changed;
-- another rule, or later answers, make another one.
CREATE TABLE split (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE COLLATE NOCASE,
  rule TEXT NOT NULL,                      -- JSON: {"drop_when": 2, "runs": [names of the runs]}
  words TEXT NOT NULL,                     -- the rule for a person
  made_by INTEGER REFERENCES annotator,
  created_at TEXT NOT NULL
);
CREATE TABLE split_question (
  split_id INTEGER NOT NULL REFERENCES split,
  question_id INTEGER NOT NULL REFERENCES question,
  solved INTEGER NOT NULL,                 -- runs of the rule that answered it right
  kept INTEGER NOT NULL,
  PRIMARY KEY (split_id, question_id)
) WITHOUT ROWID;
