-- Recorded as schema_of_edits.
-- Videos that are made of others. The recipe with the contents of its parents is the identity: the same edit asked
-- twice is one row, whoever asks. `video_id` is NULL until the video is made.
CREATE TABLE video_edit (
  id INTEGER PRIMARY KEY,
  identity TEXT NOT NULL UNIQUE,           -- hash of parents and recipe
  recipe TEXT NOT NULL,                    -- JSON: {"version", "steps": [{"edit", settings}], "sound", "marks_damage"}
  name TEXT NOT NULL,                      -- of the new video
  author_id INTEGER REFERENCES annotator,  -- NULL: the command line
  created_at TEXT NOT NULL,
  status TEXT NOT NULL DEFAULT 'waiting' CHECK (status IN ('waiting', 'running', 'made', 'failed')),
  reason TEXT NOT NULL DEFAULT '',         -- why it failed, in words for a person
  video_id INTEGER REFERENCES video,
  progress TEXT NOT NULL DEFAULT '{}'      -- JSON: frames written and wanted; who works on it, and when it last said so
);
CREATE INDEX video_edit_video ON video_edit (video_id);

-- The videos that an edit is made of, the edited one first; by content, which never changes.
CREATE TABLE video_edit_parent (
  edit_id INTEGER NOT NULL REFERENCES video_edit,
  position INTEGER NOT NULL,
  sha256 TEXT NOT NULL,
  PRIMARY KEY (edit_id, position)
);
CREATE INDEX video_edit_parent_content ON video_edit_parent (sha256);

-- Contents that belong together because one is an edit of the other: errors on them hang together, so intervals
-- draw them as one, and splits do not part them. A content that is not here is a family of its own.
CREATE TABLE video_family (
  sha256 TEXT PRIMARY KEY,
  family TEXT NOT NULL                     -- content hash of one of them
) WITHOUT ROWID;
CREATE INDEX video_family_family ON video_family (family);
CREATE TRIGGER tally_new_family AFTER INSERT ON video_family BEGIN
  INSERT INTO tally VALUES ('videos', 0, 1) ON CONFLICT DO UPDATE SET count = count + 1;
END;
CREATE TRIGGER tally_family AFTER UPDATE ON video_family BEGIN
  INSERT INTO tally VALUES ('videos', 0, 1) ON CONFLICT DO UPDATE SET count = count + 1;
END;
