-- Recorded as first_footage_schema.
-- Videos that a search or a file has named. No text of theirs is ever taken for markup or syntax.
CREATE TABLE video (
  id INTEGER PRIMARY KEY,
  source TEXT NOT NULL,           -- extractor, such as 'Youtube'
  key TEXT NOT NULL,              -- id there
  url TEXT NOT NULL DEFAULT '',
  title TEXT NOT NULL DEFAULT '',
  description TEXT NOT NULL DEFAULT '',
  channel TEXT NOT NULL DEFAULT '',
  channel_url TEXT NOT NULL DEFAULT '',
  duration_s REAL,
  views INTEGER,                  -- NULL: unknown, which is not 0
  upload_date TEXT NOT NULL DEFAULT '',
  live TEXT NOT NULL DEFAULT '',
  licence TEXT NOT NULL DEFAULT '',
  file TEXT NOT NULL DEFAULT '',  -- where it lies on this machine already
  first_seen REAL NOT NULL,
  UNIQUE (source, key)
);

-- Contentless: the texts stand in video; rowid is video.id. Kept up to date by one Python module,
-- which folds the texts.
CREATE VIRTUAL TABLE title_index USING fts5(
  title, content='', tokenize="unicode61 remove_diacritics 2 categories 'L* N* Co Mn Mc'"
);
CREATE VIRTUAL TABLE about_index USING fts5(
  about, content='', tokenize="unicode61 remove_diacritics 2 categories 'L* N* Co Mn Mc'"
);
CREATE VIRTUAL TABLE title_words USING fts5vocab('title_index', 'row');
CREATE TABLE index_size (titles INTEGER NOT NULL, tokens INTEGER NOT NULL);
INSERT INTO index_size VALUES (0, 0);

-- One row for each search, channel, playlist or file; it can be stopped after any of its results.
CREATE TABLE query (
  id INTEGER PRIMARY KEY,
  how TEXT NOT NULL,              -- 'search', 'channel', 'playlist', 'related', 'file'
  target TEXT NOT NULL,           -- words or address
  action TEXT NOT NULL DEFAULT '',
  wanted INTEGER NOT NULL,        -- results at most
  state TEXT NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'done', 'failed')),
  reached INTEGER NOT NULL DEFAULT 0,   -- results that are stored
  failure TEXT NOT NULL DEFAULT '',
  message TEXT NOT NULL DEFAULT '',
  tries INTEGER NOT NULL DEFAULT 0,
  at REAL NOT NULL,
  UNIQUE (how, target, action)
);
CREATE TABLE found_by (
  video_id INTEGER NOT NULL REFERENCES video (id),
  query_id INTEGER NOT NULL REFERENCES query (id),
  rank INTEGER NOT NULL,
  at REAL NOT NULL,
  PRIMARY KEY (video_id, query_id)
) WITHOUT ROWID;
CREATE INDEX found_by_query ON found_by (query_id);

-- A source that asked to be left alone, and the requests of the last hour.
CREATE TABLE pause (source TEXT PRIMARY KEY, until REAL NOT NULL, why TEXT NOT NULL);
CREATE TABLE request (at REAL NOT NULL);
CREATE INDEX request_at ON request (at);

-- What is to be downloaded, and what became of it.
CREATE TABLE download (
  video_id INTEGER NOT NULL REFERENCES video (id),
  start_s REAL NOT NULL DEFAULT 0,
  end_s REAL NOT NULL DEFAULT 0,        -- 0: the whole video
  state TEXT NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'done', 'failed')),
  failure TEXT NOT NULL DEFAULT '',
  message TEXT NOT NULL DEFAULT '',
  tries INTEGER NOT NULL DEFAULT 0,
  bytes INTEGER NOT NULL DEFAULT 0,
  seconds REAL NOT NULL DEFAULT 0,
  sha256 TEXT NOT NULL DEFAULT '',
  name TEXT NOT NULL DEFAULT '',        -- of the workspace's video
  at REAL NOT NULL,
  PRIMARY KEY (video_id, start_s, end_s)
);
CREATE INDEX download_state ON download (state);

-- Which actions a title matches, and how.
CREATE TABLE title_match (
  video_id INTEGER NOT NULL REFERENCES video (id),
  action TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('exact', 'near')),
  rank INTEGER NOT NULL,
  pipeline TEXT NOT NULL,
  PRIMARY KEY (pipeline, action, video_id)
) WITHOUT ROWID;

-- Actions of a list, and everything that was said of them; nothing is deleted.
CREATE TABLE action (
  id INTEGER PRIMARY KEY,
  list TEXT NOT NULL,
  domain TEXT NOT NULL DEFAULT '',
  name TEXT NOT NULL,
  key TEXT NOT NULL,
  description TEXT NOT NULL DEFAULT '',
  state TEXT NOT NULL DEFAULT 'proposed'
    CHECK (state IN ('proposed', 'approved', 'squeezed', 'merged', 'rejected')),
  merged_into INTEGER REFERENCES action (id),
  UNIQUE (list, key)
);
CREATE TABLE action_event (
  id INTEGER PRIMARY KEY,
  action_id INTEGER NOT NULL REFERENCES action (id),
  round INTEGER NOT NULL,
  step TEXT NOT NULL,             -- 'given', 'expand', 'squeeze', 'person'
  who TEXT NOT NULL,
  verdict TEXT NOT NULL,
  why TEXT NOT NULL DEFAULT '',
  at REAL NOT NULL
);
CREATE INDEX action_event_action ON action_event (action_id);

-- One row for each unit and step of a pipeline: what the step decided about it.
CREATE TABLE step_result (
  pipeline TEXT NOT NULL,
  step TEXT NOT NULL,
  unit TEXT NOT NULL,
  kept INTEGER NOT NULL,
  score REAL,
  why TEXT NOT NULL DEFAULT '',
  label TEXT NOT NULL DEFAULT '',
  at REAL NOT NULL,
  PRIMARY KEY (pipeline, step, unit)
) WITHOUT ROWID;
CREATE INDEX step_result_thrown ON step_result (pipeline, step, kept);
CREATE TABLE step_time (
  pipeline TEXT NOT NULL,
  step TEXT NOT NULL,
  seconds REAL NOT NULL,
  at REAL NOT NULL
);
CREATE TABLE pipeline (
  name TEXT PRIMARY KEY,
  declared TEXT NOT NULL,         -- the file's text
  state TEXT NOT NULL,
  note TEXT NOT NULL DEFAULT '',
  facts TEXT NOT NULL DEFAULT '{}',
  at REAL NOT NULL
);
