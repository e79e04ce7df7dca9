-- Recorded as schema_of_labelled_videos.
-- What a data set says of its videos, for measuring what their descriptions give away.
CREATE TABLE video_label (
  video_id INTEGER PRIMARY KEY REFERENCES video,
  label TEXT NOT NULL DEFAULT '',          -- name of its class; '' where it has none
  part TEXT NOT NULL DEFAULT 'test' CHECK (part IN ('train', 'test'))
);
CREATE TABLE video_caption (
  video_id INTEGER NOT NULL REFERENCES video,
  position INTEGER NOT NULL,               -- 0, 1, ... in the order in which they came
  text TEXT NOT NULL,
  PRIMARY KEY (video_id, position),
  UNIQUE (video_id, text)
) WITHOUT ROWID;

-- Whether an imported model was right about a video: its class, or a caption's rank.
CREATE TABLE video_score (
  model TEXT NOT NULL,
  job TEXT NOT NULL CHECK (job IN ('classification', 'retrieval')),
  video_id INTEGER NOT NULL REFERENCES video,
  right REAL NOT NULL,                     -- 1 right, 0 wrong
  PRIMARY KEY (model, job, video_id)
) WITHOUT ROWID;

-- Splits of labelled videos: what a rule keeps. One is never changed; another rule makes another one.
CREATE TABLE video_split (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE COLLATE NOCASE,
  rule TEXT NOT NULL,                      -- JSON: rule, job, descriptions, embeddings, seeds, regularisation, kappas
  made_by INTEGER REFERENCES annotator,
  created_at TEXT NOT NULL
);
CREATE TABLE video_split_member (
  split_id INTEGER NOT NULL REFERENCES video_split,
  video_id INTEGER NOT NULL REFERENCES video,
  solved INTEGER NOT NULL,                 -- of the nine models, how many were right
  kept INTEGER NOT NULL,
  PRIMARY KEY (split_id, video_id)
) WITHOUT ROWID;
