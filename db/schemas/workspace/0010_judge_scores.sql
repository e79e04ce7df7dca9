-- Recorded as tenth_schema.
-- Scores that a judge model gave to a model's free-form answer.
CREATE TABLE judgement (
  annotation_id INTEGER NOT NULL REFERENCES prediction,
  judge TEXT NOT NULL,                     -- name of the judge model
  scores TEXT NOT NULL,                    -- JSON: by name, 1 to 10, such as {"accuracy": 7, "logic": 8}
  words TEXT NOT NULL DEFAULT '',          -- why, as the judge says
  PRIMARY KEY (annotation_id, judge)
);
