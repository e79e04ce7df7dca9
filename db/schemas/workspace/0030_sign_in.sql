-- Who a person of an organisation's sign-in is here.
CREATE TABLE sign_in_login (
  issuer TEXT NOT NULL,
  subject TEXT NOT NULL,                   -- the provider's id of the person, which never goes to somebody else
  annotator_id INTEGER NOT NULL UNIQUE REFERENCES annotator,
  claims TEXT NOT NULL,                    -- JSON: {"value", "groups"} as they were last, by which roles are given
  taken_away INTEGER NOT NULL DEFAULT 0,   -- 1: access ended because the settings give them no role
  at REAL NOT NULL,                        -- Unix time, s, of the last time they signed in
  PRIMARY KEY (issuer, subject)
) WITHOUT ROWID;
