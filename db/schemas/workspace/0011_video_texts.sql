-- Recorded as eleventh_schema.
-- What is said or written in a video, or stretches of it that were found: one row for each run and item.
CREATE TABLE video_text (
  run_id INTEGER NOT NULL REFERENCES run,
  item_id INTEGER NOT NULL REFERENCES item,
  sha256 TEXT NOT NULL,                    -- content of the video
  kind TEXT NOT NULL,                      -- 'speech', 'screen', 'segments'
  state TEXT NOT NULL,                     -- 'found', or why there is nothing, such as 'none: no audio track'
  lines TEXT NOT NULL,                     -- JSON: [{"start_s", "end_s", "text", "confidence"}]
  reply TEXT,                              -- raw; NULL: none was written
  stored_at REAL NOT NULL,                 -- Unix time, s
  PRIMARY KEY (run_id, item_id)
);
CREATE INDEX video_text_video ON video_text (sha256, kind);
