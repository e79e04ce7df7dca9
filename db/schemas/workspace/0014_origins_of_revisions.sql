-- Recorded as fourteenth_schema.
-- Where a question's revision comes from: 'import' writes what a file says, all else is done here. An import
-- compares its file with the newest revision that an import wrote, so that it undoes nothing that people did.
ALTER TABLE question_revision ADD COLUMN origin TEXT NOT NULL DEFAULT 'import'
  CHECK (origin IN ('import', 'here'));

-- What is known of the revisions before: reviews signed theirs, or made the question;
UPDATE question_revision SET origin = 'here'
  WHERE id IN (SELECT question_revision_id FROM revision_signature)
     OR revision = 1 AND question_id IN (SELECT id FROM question WHERE source = 'review');
-- a key fixed among failures left an event at the items of its question;
UPDATE question_revision SET origin = 'here'
  WHERE revision > 1 AND EXISTS (
    SELECT 1 FROM item i JOIN item_event e ON e.item_id = i.id
    WHERE i.question_id = question_revision.question_id AND e.action LIKE 'key changed%'
      AND abs(e.at - CAST(strftime('%s', question_revision.created_at) AS REAL)) < 3);
-- a resolution took effect in the moment of its last signature.
UPDATE question_revision SET origin = 'here'
  WHERE revision > 1 AND EXISTS (
    SELECT 1 FROM item i JOIN resolution r ON r.item_id = i.id JOIN signature s ON s.resolution_id = r.id
    WHERE i.question_id = question_revision.question_id AND r.outcome <> 'reopen'
      AND abs(CAST(strftime('%s', s.signed_at) AS REAL) - CAST(strftime('%s', question_revision.created_at) AS REAL)) < 3);
