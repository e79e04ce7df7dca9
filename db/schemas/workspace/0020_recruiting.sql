-- Recorded as schema_of_recruiting.
-- What a person has to pass, and how much of it they may do, before and while they work on a task.
CREATE TABLE onboarding (
  task_id INTEGER PRIMARY KEY REFERENCES task,
  pass_mark REAL CHECK (pass_mark BETWEEN 0 AND 1), -- share of practice right at the first try; NULL: no mark
  qualification TEXT NOT NULL DEFAULT '',  -- tasks of one name take each other's practice; '': this task's own
  attention_mark REAL CHECK (attention_mark BETWEEN 0 AND 1), -- below it a payment is looked at; NULL: no mark
  daily_limit INTEGER CHECK (daily_limit >= 1),  -- answers of one person in one day, UTC; NULL: no limit
  total_limit INTEGER CHECK (total_limit >= 1)
);

-- How somebody did in practice; kept when the task or its mark changes.
CREATE TABLE qualification (
  name TEXT NOT NULL,
  annotator_id INTEGER NOT NULL REFERENCES annotator,
  right INTEGER NOT NULL,
  total INTEGER NOT NULL,
  task_id INTEGER NOT NULL REFERENCES task,
  at REAL NOT NULL,                        -- Unix time, s
  PRIMARY KEY (name, annotator_id)
) WITHOUT ROWID;

-- A survey link for one task on one site.
CREATE TABLE recruitment (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE COLLATE NOCASE,
  site TEXT NOT NULL CHECK (site IN ('mturk', 'prolific')),
  task_id INTEGER NOT NULL REFERENCES task,
  items INTEGER NOT NULL CHECK (items >= 1),     -- answers that one submission asks for
  places INTEGER NOT NULL CHECK (places >= 1),   -- submissions at most
  reward REAL NOT NULL CHECK (reward >= 0),      -- what the site pays for one submission
  consent TEXT NOT NULL DEFAULT '',        -- Markdown; shown before anything is kept of a person
  codes TEXT NOT NULL DEFAULT '{}',        -- JSON: a site's own completion codes by outcome
  state TEXT NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'closed')),
  created_at TEXT NOT NULL
);

-- Who a site's worker is here. The site's id is not shown to authors and leaves in payment files only.
CREATE TABLE recruited_worker (
  annotator_id INTEGER PRIMARY KEY REFERENCES annotator,
  site TEXT NOT NULL,
  site_id TEXT NOT NULL,
  browser TEXT NOT NULL DEFAULT '',        -- hash of the secret of the browser that may come back as this worker
  at REAL NOT NULL,
  UNIQUE (site, site_id)
);

-- One assignment or session of a worker.
CREATE TABLE recruited_submission (
  id INTEGER PRIMARY KEY,
  recruitment_id INTEGER NOT NULL REFERENCES recruitment,
  annotator_id INTEGER NOT NULL REFERENCES annotator,
  session TEXT NOT NULL,                   -- assignment of Mechanical Turk, session of Prolific
  study TEXT NOT NULL DEFAULT '',          -- HIT, study
  agreed_at REAL NOT NULL,                 -- Unix time, s: consent was given
  ended_at REAL,
  outcome TEXT NOT NULL DEFAULT ''
    CHECK (outcome IN ('', 'finished', 'ran_out', 'aside', 'failed', 'nothing')),
  code TEXT UNIQUE,                        -- what the worker takes back to the site; NULL: none
  paid_at REAL,
  paid TEXT NOT NULL DEFAULT '',           -- JSON: what the files said when they were marked as paid
  UNIQUE (recruitment_id, annotator_id, session)
);
CREATE INDEX recruited_submission_annotator ON recruited_submission (annotator_id, recruitment_id);
CREATE INDEX recruited_submission_session ON recruited_submission (session);

-- Which revision of an answer belongs to which submission: each is paid once.
CREATE TABLE recruited_answer (
  annotation_id INTEGER PRIMARY KEY REFERENCES annotation,
  submission_id INTEGER NOT NULL REFERENCES recruited_submission
);
CREATE INDEX recruited_answer_submission ON recruited_answer (submission_id);

-- Arrivals that were not let in, for authors to see.
CREATE TABLE recruited_refusal (
  id INTEGER PRIMARY KEY,
  recruitment_id INTEGER NOT NULL REFERENCES recruitment,
  site_id TEXT NOT NULL,
  session TEXT NOT NULL,
  why TEXT NOT NULL,
  at REAL NOT NULL
);
CREATE INDEX recruited_refusal_recruitment ON recruited_refusal (recruitment_id, id);
