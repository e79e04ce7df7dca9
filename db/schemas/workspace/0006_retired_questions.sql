-- Recorded as sixth_schema.
-- Questions that are still asked: a retired one stays, with its answers, but makes no new items.
CREATE VIEW asked_question AS
  SELECT q.* FROM current_question q JOIN question x ON x.id = q.question_id
  WHERE x.retired_at IS NULL;
