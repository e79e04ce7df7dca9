-- Which questions are about a clip that a person has met.
CREATE INDEX question_revision_clip ON question_revision (clip_id);
