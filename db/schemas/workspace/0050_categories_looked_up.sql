-- Which categories there are, and the questions of one, without reading every question.
CREATE INDEX question_revision_category ON question_revision (category, question_id, revision, clip_id);
