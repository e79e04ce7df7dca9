-- Recorded as thirteenth_schema.
-- How often what is kept of the data has changed, counted by the database itself in the transaction that changes
-- it: whoever keeps something computed asks here, at no cost that grows with the data, whether it still holds.
CREATE TABLE tally (
  what TEXT NOT NULL,
  id INTEGER NOT NULL,                     -- of the task, annotator or run; 0: of the workspace
  count INTEGER NOT NULL,
  PRIMARY KEY (what, id)
) WITHOUT ROWID;

-- Items of a task that came, or changed; answers to them count elsewhere.
CREATE TRIGGER tally_new_item AFTER INSERT ON item BEGIN
  INSERT INTO tally VALUES ('items', new.task_id, 1) ON CONFLICT DO UPDATE SET count = count + 1;
END;
CREATE TRIGGER tally_item AFTER UPDATE OF status, role, overlap, position, video_id, question_id, payload ON item BEGIN
  INSERT INTO tally VALUES ('items', new.task_id, 1) ON CONFLICT DO UPDATE SET count = count + 1;
END;

-- Answers and skips of an annotator, every revision; and how often one was counted, or counted no more, afterwards.
INSERT INTO tally SELECT 'answers', annotator_id, count(*) FROM annotation GROUP BY annotator_id;
CREATE TRIGGER tally_new_annotation AFTER INSERT ON annotation BEGIN
  INSERT INTO tally VALUES ('answers', new.annotator_id, 1) ON CONFLICT DO UPDATE SET count = count + 1;
END;
CREATE TRIGGER tally_annotation AFTER UPDATE OF counted ON annotation BEGIN
  INSERT INTO tally VALUES ('counted', 0, 1) ON CONFLICT DO UPDATE SET count = count + 1;
END;

-- Items that a run has answered.
INSERT INTO tally SELECT 'answered', p.run_id, count(DISTINCT a.item_id)
  FROM prediction p JOIN annotation a ON a.id = p.annotation_id GROUP BY p.run_id;
CREATE TRIGGER tally_new_prediction AFTER INSERT ON prediction
  WHEN (SELECT revision FROM annotation WHERE id = new.annotation_id) = 1 BEGIN
  INSERT INTO tally VALUES ('answered', new.run_id, 1) ON CONFLICT DO UPDATE SET count = count + 1;
END;

CREATE TRIGGER tally_new_annotator AFTER INSERT ON annotator BEGIN
  INSERT INTO tally VALUES ('annotators', 0, 1) ON CONFLICT DO UPDATE SET count = count + 1;
END;
CREATE TRIGGER tally_annotator AFTER UPDATE OF name, kind, aside_at ON annotator BEGIN
  INSERT INTO tally VALUES ('annotators', 0, 1) ON CONFLICT DO UPDATE SET count = count + 1;
END;
CREATE TRIGGER tally_new_task AFTER INSERT ON task BEGIN
  INSERT INTO tally VALUES ('tasks', 0, 1) ON CONFLICT DO UPDATE SET count = count + 1;
END;
CREATE TRIGGER tally_task AFTER UPDATE OF name, kind, settings, status, overlap ON task BEGIN
  INSERT INTO tally VALUES ('tasks', 0, 1) ON CONFLICT DO UPDATE SET count = count + 1;
END;
CREATE TRIGGER tally_new_video AFTER INSERT ON video BEGIN
  INSERT INTO tally VALUES ('videos', 0, 1) ON CONFLICT DO UPDATE SET count = count + 1;
END;
CREATE TRIGGER tally_video AFTER UPDATE OF name, sha256, status ON video BEGIN
  INSERT INTO tally VALUES ('videos', 0, 1), ('contents', 0, 1) ON CONFLICT DO UPDATE SET count = count + 1;
END;
CREATE TRIGGER tally_new_run AFTER INSERT ON run BEGIN
  INSERT INTO tally VALUES ('runs', 0, 1) ON CONFLICT DO UPDATE SET count = count + 1;
END;
CREATE TRIGGER tally_run AFTER UPDATE OF facts ON run WHEN new.facts <> old.facts BEGIN
  INSERT INTO tally VALUES ('runs', 0, 1) ON CONFLICT DO UPDATE SET count = count + 1;
END;
