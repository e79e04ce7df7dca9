-- Recorded as first_schema.
-- A media file. `name` is its identity in the data set, `sha256` its content; '' until the file is found.
CREATE TABLE video (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  sha256 TEXT NOT NULL DEFAULT '',
  path TEXT NOT NULL DEFAULT '',          -- of the original; relative to the workspace where it lies inside
  status TEXT NOT NULL CHECK (status IN ('missing', 'usable', 'broken')),
  reason TEXT NOT NULL DEFAULT '',        -- why it cannot be used, in words for a person
  facts TEXT NOT NULL DEFAULT '{}',       -- what probing found, JSON
  source_url TEXT NOT NULL DEFAULT '',
  created_at TEXT NOT NULL,
  UNIQUE (name, sha256)
);
CREATE INDEX video_sha256 ON video (sha256);

CREATE TABLE clip (
  id INTEGER PRIMARY KEY,
  video_id INTEGER NOT NULL REFERENCES video,
  start_s REAL NOT NULL DEFAULT 0,
  end_s REAL,                             -- NULL: to the end of the video
  CHECK (end_s IS NULL OR end_s > start_s)
);
CREATE UNIQUE INDEX clip_span ON clip (video_id, start_s, coalesce(end_s, -1));

-- A question's identity; its text lives in revisions, the newest of which is current.
CREATE TABLE question (
  id INTEGER PRIMARY KEY,
  uid TEXT NOT NULL UNIQUE,               -- such as 'count/17': unique in the workspace, stable over imports
  source TEXT NOT NULL,                   -- name of the import format it came from
  created_at TEXT NOT NULL
);
CREATE TABLE question_revision (
  id INTEGER PRIMARY KEY,
  question_id INTEGER NOT NULL REFERENCES question,
  revision INTEGER NOT NULL,              -- 1, 2, ...
  clip_id INTEGER NOT NULL REFERENCES clip,
  text TEXT NOT NULL,
  options TEXT NOT NULL,                  -- JSON list of texts
  key INTEGER,                            -- 0-based index into options; NULL: unlabelled
  category TEXT NOT NULL DEFAULT '',
  tags TEXT NOT NULL DEFAULT '{}',        -- JSON object, such as {"demonstration_type": "human"}
  note TEXT NOT NULL DEFAULT '',
  created_at TEXT NOT NULL,
  UNIQUE (question_id, revision)
);
CREATE VIEW current_question AS
  SELECT r.*, q.uid, q.source FROM question_revision r JOIN question q ON q.id = r.question_id
  WHERE r.revision = (SELECT max(revision) FROM question_revision x WHERE x.question_id = r.question_id);

CREATE TABLE task (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  kind TEXT NOT NULL,                     -- a plug-in of annotations/tasks
  settings TEXT NOT NULL DEFAULT '{}',    -- JSON, the kind's own
  overlap INTEGER NOT NULL CHECK (overlap >= 1),
  instructions TEXT NOT NULL DEFAULT '',  -- Markdown; '' means the kind's own
  status TEXT NOT NULL DEFAULT 'open' CHECK (status IN ('open', 'paused', 'closed')),
  created_at TEXT NOT NULL
);

CREATE TABLE item (
  id INTEGER PRIMARY KEY,
  task_id INTEGER NOT NULL REFERENCES task,
  uid TEXT NOT NULL,                      -- what it is about, such as 'question:count/17'
  question_id INTEGER REFERENCES question,
  video_id INTEGER REFERENCES video,
  payload TEXT NOT NULL DEFAULT '{}',
  position INTEGER NOT NULL,
  priority INTEGER NOT NULL DEFAULT 0,    -- higher is handed out first
  overlap INTEGER,                        -- NULL: the task's
  answers INTEGER NOT NULL DEFAULT 0,     -- counted current answers, kept by the answer's own transaction
  status TEXT NOT NULL DEFAULT 'open' CHECK (status IN ('open', 'withdrawn')),
  UNIQUE (task_id, uid)
);
CREATE INDEX item_queue ON item (task_id, status, priority DESC, position);
CREATE INDEX item_question ON item (question_id);

-- Who answers: a person, or a model, which is an annotator who works fast.
CREATE TABLE annotator (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE COLLATE NOCASE,
  kind TEXT NOT NULL CHECK (kind IN ('person', 'model')),
  role TEXT NOT NULL DEFAULT 'annotator' CHECK (role IN ('annotator', 'author', 'admin')),
  invite TEXT NOT NULL,                   -- random; a new one ends earlier links and sessions
  active INTEGER NOT NULL DEFAULT 1,
  facts TEXT NOT NULL DEFAULT '{}',       -- a model's name, revision, prompt; a person's hourly rate
  created_at TEXT NOT NULL
);

-- An item handed to somebody, with exactly what is shown; kept after it ends, since answers point at it.
CREATE TABLE lease (
  id INTEGER PRIMARY KEY,
  item_id INTEGER NOT NULL REFERENCES item,
  annotator_id INTEGER NOT NULL REFERENCES annotator,
  question_revision_id INTEGER REFERENCES question_revision,
  shown TEXT NOT NULL,                    -- JSON: condition, frame indices and times, option order
  leased_at REAL NOT NULL,                -- Unix time, s
  expires_at REAL NOT NULL,
  ended_at REAL,
  UNIQUE (item_id, annotator_id, leased_at)
);
CREATE INDEX lease_item ON lease (item_id, ended_at, expires_at);
CREATE INDEX lease_annotator ON lease (annotator_id, ended_at);

-- One answer (or skip) of one annotator to one item; append-only, a correction is the next revision.
CREATE TABLE annotation (
  id INTEGER PRIMARY KEY,
  uid TEXT NOT NULL UNIQUE,               -- made where the answer was given, so that a resend is no double
  item_id INTEGER NOT NULL REFERENCES item,
  annotator_id INTEGER NOT NULL REFERENCES annotator,
  revision INTEGER NOT NULL,
  lease_id INTEGER REFERENCES lease,
  question_revision_id INTEGER REFERENCES question_revision,
  task_kind TEXT NOT NULL,
  schema_version INTEGER NOT NULL,
  response TEXT NOT NULL,                 -- JSON in the task kind's schema
  shown TEXT NOT NULL,                    -- JSON copy of what the lease showed
  skip_reason TEXT,                       -- NULL: an answer
  counted INTEGER NOT NULL,               -- 0: an extra, given when the overlap was already full
  active_s REAL NOT NULL,
  answered_at REAL NOT NULL,              -- Unix time at the annotator's clock, s
  stored_at REAL NOT NULL,                -- Unix time here, s
  UNIQUE (item_id, annotator_id, revision)
);
CREATE INDEX annotation_annotator ON annotation (annotator_id, item_id);
CREATE TRIGGER annotation_is_kept BEFORE UPDATE OF uid, item_id, annotator_id, revision, response, shown, skip_reason
  ON annotation BEGIN SELECT raise(ABORT, 'annotations are append-only'); END;
CREATE TRIGGER annotation_is_not_deleted BEFORE DELETE
  ON annotation BEGIN SELECT raise(ABORT, 'annotations are append-only'); END;
CREATE VIEW current_annotation AS
  SELECT a.* FROM annotation a
  WHERE a.revision = (SELECT max(revision) FROM annotation x
                      WHERE x.item_id = a.item_id AND x.annotator_id = a.annotator_id);

CREATE TABLE draft (
  item_id INTEGER NOT NULL REFERENCES item,
  annotator_id INTEGER NOT NULL REFERENCES annotator,
  body TEXT NOT NULL,
  active_s REAL NOT NULL DEFAULT 0,
  updated_at REAL NOT NULL,
  PRIMARY KEY (item_id, annotator_id)
);

CREATE TABLE import (
  id INTEGER PRIMARY KEY,
  format TEXT NOT NULL,
  path TEXT NOT NULL,
  report TEXT NOT NULL,                   -- JSON: counts and every problem with its place
  created_at TEXT NOT NULL
);
