-- What answers are held against where no one option is the key: {"answers": [...], "points": [...]}, the accepted answers of
-- a question without options, or the options of which several are right, and the points that a good answer makes.
ALTER TABLE question_revision ADD COLUMN reference TEXT NOT NULL DEFAULT '{}';
