-- Words by which videos and questions are found, in any script: three letters or signs in a row are enough.
CREATE VIRTUAL TABLE video_words USING fts5(name, title, tokenize = 'trigram');
CREATE VIRTUAL TABLE question_words USING fts5(uid, text, options, category, tokenize = 'trigram');

INSERT INTO video_words (rowid, name, title)
  SELECT id, name, coalesce(json_extract(facts, '$.title'), '') FROM video;
INSERT INTO question_words (rowid, uid, text, options, category)
  SELECT question_id, uid, text,
    coalesce((SELECT group_concat(value, ' | ') FROM json_each(current_question.options)), ''), category
  FROM current_question;

CREATE TRIGGER words_of_new_video AFTER INSERT ON video BEGIN
  INSERT INTO video_words (rowid, name, title)
    VALUES (new.id, new.name, coalesce(json_extract(new.facts, '$.title'), ''));
END;
CREATE TRIGGER words_of_video AFTER UPDATE OF name, facts ON video
WHEN new.name <> old.name OR new.facts <> old.facts BEGIN
  UPDATE video_words SET name = new.name, title = coalesce(json_extract(new.facts, '$.title'), '')
    WHERE rowid = new.id;
END;
CREATE TRIGGER words_of_revision AFTER INSERT ON question_revision
WHEN new.revision = (SELECT max(revision) FROM question_revision WHERE question_id = new.question_id) BEGIN
  DELETE FROM question_words WHERE rowid = new.question_id;
  INSERT INTO question_words (rowid, uid, text, options, category)
    VALUES (new.question_id, (SELECT uid FROM question WHERE id = new.question_id), new.text,
            coalesce((SELECT group_concat(value, ' | ') FROM json_each(new.options)), ''), new.category);
END;

CREATE INDEX video_state ON video (status, name);
CREATE INDEX video_damaged ON video (name) WHERE json_extract(facts, '$.decodable') = 'part';
CREATE INDEX item_video ON item (video_id);
