-- Views of the page Failures that authors gave names, for everybody in the workspace.
CREATE TABLE failure_view (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE COLLATE NOCASE,
  query TEXT NOT NULL,                     -- of the link to it
  author_id INTEGER REFERENCES annotator,
  created_at TEXT NOT NULL
);
