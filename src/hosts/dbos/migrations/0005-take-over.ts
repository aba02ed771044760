/**
 * A worker that has all the runs it wants still takes one that another worker had begun and died with: nobody should wait for
 * a place who has waited for a lease already. `taken_at` stays when a task is freed, and tells the two apart.
 */
export const takeOver = `
CREATE OR REPLACE FUNCTION take_task(
  by_worker TEXT, of_repo TEXT, offers TEXT[], of_kinds TEXT[], most BIGINT, most_of_repo BIGINT, most_of_driver JSONB,
  holding TEXT[], known_schema BIGINT, lock_name TEXT
) RETURNS TABLE (id TEXT, kind TEXT, run TEXT, body TEXT) LANGUAGE plpgsql AS '
#variable_conflict use_column
BEGIN
  IF NOT EXISTS (
    SELECT FROM tasks WHERE worker = by_worker AND id <> ALL (holding)
      OR worker IS NULL AND (of_repo IS NULL OR repo = of_repo)
        AND (kind = ANY (of_kinds) OR taken_at IS NOT NULL AND kind || '':begun'' = ANY (of_kinds))
        AND offered(needs, offers)
  ) THEN
    RETURN;
  END IF;
  PERFORM pg_advisory_xact_lock(hashtextextended(lock_name, 0));
  RETURN QUERY
    WITH under_way AS (SELECT repo, driver FROM tasks WHERE kind = ''effect'' AND worker IS NOT NULL)
    UPDATE tasks SET worker = by_worker, taken_at = now_ms()
    WHERE EXISTS (SELECT FROM workers WHERE workers.id = by_worker AND NOT dead)
      AND (SELECT max(version) FROM migrations) = known_schema
      AND number = (
        SELECT number FROM tasks AS task
        WHERE worker = by_worker AND id <> ALL (holding)
          OR worker IS NULL AND (of_repo IS NULL OR repo = of_repo)
        AND (kind = ANY (of_kinds) OR taken_at IS NOT NULL AND kind || '':begun'' = ANY (of_kinds))
        AND offered(needs, offers)
          AND (kind = ''run'' OR (
            (most IS NULL OR (SELECT count(*) FROM under_way) < most)
            AND (most_of_repo IS NULL
              OR (SELECT count(*) FROM under_way WHERE under_way.repo = task.repo) < most_of_repo)
            AND (most_of_driver -> driver IS NULL
              OR (SELECT count(*) FROM under_way WHERE under_way.driver = task.driver) < (most_of_driver ->> driver)::bigint)
          ))
        ORDER BY worker IS NULL, run_at, number LIMIT 1
      )
    RETURNING tasks.id, tasks.kind, tasks.run, tasks.body;
END';
`;
