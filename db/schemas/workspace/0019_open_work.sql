-- Recorded as schema_of_open_work.
-- Which items of work ask for answers, kept by the database in the transaction that changes it, so that nobody who
-- answers or asks for work looks at all items of a task.
ALTER TABLE item ADD COLUMN asks INTEGER NOT NULL DEFAULT 0;  -- 1: open work that wants more answers
UPDATE item SET asks = 1 WHERE status = 'open' AND role = 'work' AND settled = 0
  AND skips < (SELECT skip_limit FROM task WHERE id = task_id)
  AND answers < coalesce(overlap, (SELECT overlap FROM task WHERE id = task_id));
CREATE INDEX item_asks ON item (task_id, asks, priority DESC, position);
CREATE INDEX item_known ON item (task_id, role) WHERE role <> 'work';
CREATE INDEX lease_running ON lease (expires_at, item_id, annotator_id) WHERE ended_at IS NULL;

INSERT INTO tally SELECT 'asking', task_id, sum(asks) FROM item GROUP BY task_id;
CREATE TRIGGER asks_of_new_item AFTER INSERT ON item BEGIN
  UPDATE item SET asks = 1 WHERE id = new.id AND status = 'open' AND role = 'work' AND settled = 0
    AND skips < (SELECT skip_limit FROM task WHERE id = new.task_id)
    AND answers < coalesce(overlap, (SELECT overlap FROM task WHERE id = new.task_id));
END;
CREATE TRIGGER asks_of_item AFTER UPDATE OF status, role, settled, skips, answers, overlap ON item BEGIN
  UPDATE item SET asks = 1 - asks WHERE id = new.id AND asks <> (
    status = 'open' AND role = 'work' AND settled = 0
    AND skips < (SELECT skip_limit FROM task WHERE id = new.task_id)
    AND answers < coalesce(overlap, (SELECT overlap FROM task WHERE id = new.task_id)));
END;
CREATE TRIGGER asks_of_task AFTER UPDATE OF overlap, skip_limit ON task BEGIN
  UPDATE item SET asks = 1 - asks WHERE task_id = new.id AND asks <> (
    status = 'open' AND role = 'work' AND settled = 0 AND skips < new.skip_limit
    AND answers < coalesce(overlap, new.overlap));
END;
CREATE TRIGGER tally_asking AFTER UPDATE OF asks ON item WHEN new.asks <> old.asks BEGIN
  INSERT INTO tally VALUES ('asking', new.task_id, new.asks - old.asks)
    ON CONFLICT DO UPDATE SET count = count + excluded.count;
END;
