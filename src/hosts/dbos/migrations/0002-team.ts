/**
 * What many machines need beside the runs: who works, with what to offer, and what is wanted or under way. Moments of workers
 * are such as a calendar can show.
 */
export const team = `
DROP TABLE executors;
DROP INDEX runs_by_queue;
ALTER TABLE runs DROP COLUMN queue;
ALTER TABLE runs ADD COLUMN needs TEXT[] NOT NULL DEFAULT '{}';
ALTER TABLE runs ADD COLUMN woken BIGINT NOT NULL DEFAULT 0;

CREATE INDEX runs_by_status ON runs (status);

CREATE TABLE workers (
  id TEXT PRIMARY KEY,
  process TEXT NOT NULL,
  machine TEXT NOT NULL,
  repo TEXT,
  labels TEXT[] NOT NULL,
  concurrency BIGINT,
  version TEXT NOT NULL,
  since BIGINT NOT NULL CHECK (since BETWEEN 0 AND 253402300799999),
  until BIGINT NOT NULL CHECK (until BETWEEN 0 AND 253402300799999),
  dead BOOLEAN NOT NULL DEFAULT FALSE
);

CREATE TABLE tasks (
  number BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  kind TEXT NOT NULL CHECK (kind IN ('run', 'effect')),
  run TEXT NOT NULL REFERENCES runs (id),
  repo TEXT NOT NULL,
  needs TEXT[] NOT NULL,
  driver TEXT,
  body TEXT NOT NULL,
  at BIGINT NOT NULL,
  run_at BIGINT NOT NULL,
  worker TEXT,
  taken_at BIGINT
);
CREATE UNIQUE INDEX tasks_one_drive ON tasks (run) WHERE kind = 'run';
CREATE INDEX tasks_free ON tasks (number) WHERE worker IS NULL;
CREATE INDEX tasks_by_worker ON tasks (worker) WHERE worker IS NOT NULL;

CREATE FUNCTION offered(needs TEXT[], labels TEXT[]) RETURNS BOOLEAN LANGUAGE SQL IMMUTABLE AS '
  SELECT NOT EXISTS (
    SELECT FROM unnest(needs) AS need WHERE need <> ALL (labels) AND NOT EXISTS (
      SELECT FROM unnest(labels) AS label
      WHERE split_part(need, '':'', 1) = split_part(label, '':'', 1)
        AND substring(need, ''^[^:]+:([0-9]{1,15})$'')::bigint <= substring(label, ''^[^:]+:([0-9]{1,15})$'')::bigint
    )
  )';

ALTER TABLE effects ADD COLUMN by_nonce TEXT;

ALTER TABLE inbox ADD COLUMN role TEXT;
CREATE FUNCTION sign_row() RETURNS TRIGGER LANGUAGE plpgsql AS
  'BEGIN NEW.role := session_user; RETURN NEW; END';
CREATE TRIGGER signed BEFORE INSERT ON inbox FOR EACH ROW EXECUTE FUNCTION sign_row();
CREATE TRIGGER fixed BEFORE DELETE OR UPDATE OF id, run, at, letter, role ON inbox
  FOR EACH ROW EXECUTE FUNCTION refuse_change();

CREATE TABLE notes (run TEXT PRIMARY KEY, body TEXT NOT NULL);

CREATE TABLE spools (
  run TEXT NOT NULL,
  path TEXT NOT NULL,
  at BIGINT NOT NULL,
  bytes BIGINT NOT NULL,
  body BYTEA NOT NULL,
  PRIMARY KEY (run, path)
);

CREATE TABLE trust (
  repo TEXT NOT NULL,
  hash TEXT NOT NULL,
  by_name TEXT NOT NULL,
  role TEXT NOT NULL,
  at BIGINT NOT NULL,
  PRIMARY KEY (repo, hash)
);
CREATE TRIGGER signed BEFORE INSERT ON trust FOR EACH ROW EXECUTE FUNCTION sign_row();
CREATE TRIGGER fixed BEFORE UPDATE OR DELETE ON trust FOR EACH ROW EXECUTE FUNCTION refuse_change();

CREATE FUNCTION append_records(
  to_run TEXT, by_owner TEXT, by_fence BIGINT, first BIGINT, texts TEXT[], ledger JSON,
  new_status TEXT, new_exit BIGINT, new_reason TEXT,
  OUT stored BOOLEAN, OUT owner TEXT, OUT fence BIGINT, OUT seq BIGINT
) LANGUAGE plpgsql AS '
#variable_conflict use_column
BEGIN
  UPDATE runs SET seq = seq + cardinality(texts), status = coalesce(new_status, status),
    exit = CASE WHEN new_status IS NULL THEN exit ELSE new_exit END,
    reason = CASE WHEN new_status IS NULL THEN reason ELSE new_reason END
  WHERE id = to_run AND owner = by_owner AND fence = by_fence AND seq = first - 1;
  stored := FOUND;
  IF NOT stored THEN
    SELECT runs.owner, runs.fence, runs.seq INTO owner, fence, seq FROM runs WHERE id = to_run;
    RETURN;
  END IF;
  IF cardinality(texts) = 1 THEN
    INSERT INTO journal (run, seq, record) VALUES (to_run, first, texts[1]);
  ELSE
    INSERT INTO journal (run, seq, record)
    SELECT to_run, first + place - 1, record FROM unnest(texts) WITH ORDINALITY AS added (record, place);
  END IF;
  IF ledger IS NOT NULL THEN PERFORM insert_ledger(ledger); END IF;
END';

CREATE FUNCTION insert_ledger(ledger JSON) RETURNS VOID LANGUAGE plpgsql AS '
BEGIN
  INSERT INTO anvil_checks (run_id, task_id, phase, check_name, tool, command, exit_code, output_snippet, passed,
    verdict, severity, round, instance, tree, ts)
  SELECT run_id, task_id, phase, check_name, tool, command, exit_code, output_snippet, passed,
    verdict, severity, round, instance, tree, ts
  FROM json_populate_recordset(NULL::anvil_checks, ledger -> ''anvil_checks'') ON CONFLICT DO NOTHING;
  INSERT INTO pipeline_telemetry (run_id, step, agent, instance, started_at, completed_at, status, dispatch_count,
    retry_count, notes, ts)
  SELECT run_id, step, agent, instance, started_at, completed_at, status, dispatch_count, retry_count, notes, ts
  FROM json_populate_recordset(NULL::pipeline_telemetry, ledger -> ''pipeline_telemetry'') ON CONFLICT DO NOTHING;
  INSERT INTO artifact_evaluations (run_id, evaluator_agent, evaluator_instance, artifact_path, usefulness_score,
    clarity_score, missing_information, inaccuracies, impact_on_work, ts)
  SELECT run_id, evaluator_agent, evaluator_instance, artifact_path, usefulness_score, clarity_score,
    missing_information, inaccuracies, impact_on_work, ts
  FROM json_populate_recordset(NULL::artifact_evaluations, ledger -> ''artifact_evaluations'') ON CONFLICT DO NOTHING;
  INSERT INTO instruction_updates (run_id, agent, file_path, change_type, change_summary, applied, ts)
  SELECT run_id, agent, file_path, change_type, change_summary, applied, ts
  FROM json_populate_recordset(NULL::instruction_updates, ledger -> ''instruction_updates'') ON CONFLICT DO NOTHING;
END';
`;
