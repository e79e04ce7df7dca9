-- Recorded as schema_of_screen_text.
-- Work that waits can be stopped by a person, and goes on when somebody says so.
ALTER TABLE video_edit ADD COLUMN stopped INTEGER NOT NULL DEFAULT 0;

-- A reading of the text in a clip; what is read of each frame is kept, so that a killed reading goes on.
CREATE TABLE screen_text (
  id INTEGER PRIMARY KEY,
  identity TEXT NOT NULL UNIQUE,           -- hash of content, model, start and end
  sha256 TEXT NOT NULL,                    -- of the video
  model TEXT NOT NULL,
  start_s REAL NOT NULL,
  end_s REAL,                              -- NULL: the end of the video
  author_id INTEGER REFERENCES annotator,  -- NULL: the command line
  created_at TEXT NOT NULL,
  status TEXT NOT NULL DEFAULT 'waiting' CHECK (status IN ('waiting', 'running', 'made', 'failed')),
  reason TEXT NOT NULL DEFAULT '',
  stopped INTEGER NOT NULL DEFAULT 0,
  progress TEXT NOT NULL DEFAULT '{}'
);
CREATE INDEX screen_text_content ON screen_text (sha256);
CREATE TABLE screen_text_frame (
  screen_text_id INTEGER NOT NULL REFERENCES screen_text,
  frame INTEGER NOT NULL,                  -- index in the video
  lines TEXT NOT NULL,                     -- JSON: [[time s, left, top, right, bottom, text]], px as shown
  PRIMARY KEY (screen_text_id, frame)
) WITHOUT ROWID;

-- Lines of a reading to be blurred in a copy, which is read again until they are gone.
CREATE TABLE text_blurring (
  id INTEGER PRIMARY KEY,
  identity TEXT NOT NULL UNIQUE,           -- hash of the reading and the lines
  screen_text_id INTEGER NOT NULL REFERENCES screen_text,
  chosen TEXT NOT NULL,                    -- JSON: numbers of the lines, in the order in which they begin
  author_id INTEGER REFERENCES annotator,
  created_at TEXT NOT NULL,
  status TEXT NOT NULL DEFAULT 'waiting' CHECK (status IN ('waiting', 'running', 'made', 'failed')),
  reason TEXT NOT NULL DEFAULT '',
  stopped INTEGER NOT NULL DEFAULT 0,
  progress TEXT NOT NULL DEFAULT '{}',
  rounds TEXT NOT NULL DEFAULT '[]',       -- JSON: of each round, readings found and the regions that they became
  edit_id INTEGER REFERENCES video_edit,   -- the copy; NULL until it is made
  still TEXT NOT NULL DEFAULT '[]'         -- JSON: [[time s, text]] that are read in the copy all the same
);
