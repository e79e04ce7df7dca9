-- Recorded as schema_of_access.
-- Sessions that their person signed out of; a row may go once the session is too old anyway.
CREATE TABLE ended_session (
  digest TEXT PRIMARY KEY,                -- SHA-256 of the cookie's value: the value itself is a key
  ended_at REAL NOT NULL                  -- Unix time, s
);

-- Seconds that were claimed beyond what the clock allows; they are not paid.
ALTER TABLE annotation ADD COLUMN cut_s REAL NOT NULL DEFAULT 0;
