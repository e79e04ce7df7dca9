-- Recorded as fourth_schema.
-- Settling disagreements: what authors decided about an item, each version kept, each signed.
CREATE TABLE resolution (
  id INTEGER PRIMARY KEY,
  item_id INTEGER NOT NULL REFERENCES item,
  revision INTEGER NOT NULL,              -- 1, 2, ...: reopening makes the next
  outcome TEXT NOT NULL CHECK (outcome IN
    ('first', 'second', 'other', 'replace_video', 'fix_question', 'retire', 'reopen')),
  value TEXT,                             -- JSON: the response that holds from now on; NULL: none
  reason TEXT NOT NULL DEFAULT '',
  answers TEXT NOT NULL,                  -- JSON: ids of the annotations that were on the table, in order
  signatures INTEGER NOT NULL,            -- how many authors have to sign before it holds
  created_at TEXT NOT NULL,
  UNIQUE (item_id, revision)
);
CREATE TABLE signature (
  id INTEGER PRIMARY KEY,
  resolution_id INTEGER NOT NULL REFERENCES resolution,
  author_id INTEGER NOT NULL REFERENCES annotator,
  signed_at TEXT NOT NULL,
  UNIQUE (resolution_id, author_id)
);
CREATE TRIGGER resolution_is_kept BEFORE UPDATE ON resolution
  BEGIN SELECT raise(ABORT, 'resolutions are append-only'); END;
CREATE TRIGGER resolution_is_not_deleted BEFORE DELETE ON resolution
  BEGIN SELECT raise(ABORT, 'resolutions are append-only'); END;
CREATE VIEW current_resolution AS
  SELECT r.*, (SELECT count(*) FROM signature s WHERE s.resolution_id = r.id) AS signed
  FROM resolution r
  WHERE r.revision = (SELECT max(revision) FROM resolution x WHERE x.item_id = r.item_id);

-- What authors say to each other about an item.
CREATE TABLE comment (
  id INTEGER PRIMARY KEY,
  item_id INTEGER NOT NULL REFERENCES item,
  author_id INTEGER NOT NULL REFERENCES annotator,
  text TEXT NOT NULL,
  created_at TEXT NOT NULL
);
CREATE INDEX comment_item ON comment (item_id);

-- A retired question is asked no more; its answers stay.
ALTER TABLE question ADD COLUMN retired_at TEXT;
