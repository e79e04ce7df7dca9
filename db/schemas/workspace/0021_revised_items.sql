-- From which revision of its question answers to an item count. 0: all of them do.
ALTER TABLE item ADD COLUMN asked_from INTEGER NOT NULL DEFAULT 0;
