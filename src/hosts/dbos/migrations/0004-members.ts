/**
 * What a person of a team may do, as functions of the database that do it and nothing else: begin a run, want one driven,
 * write to one, end one that nobody drives. Each works with the rights of whoever made the tables, so people need none on
 * runs, journal, ledger and tasks. `born` counts the records that a run's submitter wrote: what is taken from another
 * run is held against that run before anybody believes it.
 */
export const members = `
ALTER TABLE runs ADD COLUMN born BIGINT NOT NULL DEFAULT 0;

-- A function that reads JSON takes no NUL, which a note may hold.
CREATE FUNCTION type_of(record TEXT) RETURNS TEXT LANGUAGE SQL IMMUTABLE AS
  'SELECT coalesce(replace(record, ''\\u0000'', ''\\u0020'')::json ->> ''type'', '''')';

CREATE FUNCTION create_run(new_run TEXT, of_pipeline TEXT, of_repo TEXT, texts TEXT[], ledger JSON)
RETURNS BOOLEAN LANGUAGE plpgsql SECURITY DEFINER AS '
BEGIN
  -- Its id names folders and refs.
  IF new_run !~ ''^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$'' THEN
    RAISE EXCEPTION ''a run is called by letters, digits, dashes and underscores'' USING ERRCODE = ''invalid_parameter_value'';
  END IF;
  -- However it was numbered, an array of texts is one list from 1 on.
  texts := ARRAY(SELECT unnest(texts));
  IF EXISTS (
    SELECT FROM unnest(texts) WITH ORDINALITY AS added (record, place)
    WHERE (type_of(record) = ''run.started'') <> (place = 1) OR type_of(record) ~ ''^(run|engine|letter)[.]'' AND place > 1
  ) THEN
    RAISE EXCEPTION ''a run begins with its start, and at most with steps'' USING ERRCODE = ''insufficient_privilege'';
  END IF;
  IF ledger IS NOT NULL AND EXISTS (
    SELECT FROM json_each(ledger) AS given, json_array_elements(given.value) AS added
    WHERE added ->> ''run_id'' IS DISTINCT FROM new_run
  ) THEN
    RAISE EXCEPTION ''a run begins with rows of its own, and with nobody else''''s'' USING ERRCODE = ''insufficient_privilege'';
  END IF;
  INSERT INTO runs (id, pipeline, repo, created_at, seq, born)
  VALUES (new_run, of_pipeline, of_repo, now_ms(), cardinality(texts), cardinality(texts)) ON CONFLICT (id) DO NOTHING;
  IF NOT FOUND THEN RETURN FALSE; END IF;
  INSERT INTO journal (run, seq, record)
  SELECT new_run, place, record FROM unnest(texts) WITH ORDINALITY AS added (record, place);
  IF ledger IS NOT NULL THEN PERFORM insert_ledger(ledger); END IF;
  RETURN TRUE;
END';

CREATE FUNCTION want_drive(of_run TEXT, new_needs TEXT[]) RETURNS TEXT LANGUAGE plpgsql SECURITY DEFINER AS '
DECLARE
  drive TEXT;
  before BIGINT;
BEGIN
  -- The lock lets two that want the same run in one by one: the second finds the first one''s task.
  SELECT drives INTO before FROM runs WHERE id = of_run FOR UPDATE;
  IF NOT FOUND THEN RETURN NULL; END IF;
  -- What a run needs is said when it is submitted: whoever wants it driven later cannot keep it from its workers.
  IF before = 0 AND new_needs IS NOT NULL THEN UPDATE runs SET needs = new_needs WHERE id = of_run; END IF;
  SELECT id INTO drive FROM tasks WHERE run = of_run AND kind = ''run'';
  IF FOUND THEN RETURN drive; END IF;
  drive := ''run:'' || of_run || '':'' || before + 1;
  UPDATE runs SET drives = before + 1, abandoned = FALSE WHERE id = of_run;
  INSERT INTO tasks (id, kind, run, repo, needs, body, at, run_at)
  SELECT drive, ''run'', id, repo, needs, id, now_ms(), created_at FROM runs WHERE id = of_run;
  RETURN drive;
END';

CREATE FUNCTION lock_run(of_run TEXT) RETURNS BOOLEAN LANGUAGE plpgsql SECURITY DEFINER AS '
BEGIN
  PERFORM FROM runs WHERE id = of_run FOR NO KEY UPDATE;
  RETURN FOUND;
END';

CREATE FUNCTION cancel_run(of_run TEXT, after_seq BIGINT, texts TEXT[], letters BIGINT[])
RETURNS BOOLEAN LANGUAGE plpgsql SECURITY DEFINER AS '
DECLARE
  finish JSON;
BEGIN
  texts := ARRAY(SELECT unnest(texts));
  finish := replace(texts[cardinality(texts)], ''\\u0000'', ''\\u0020'');
  IF finish ->> ''type'' IS DISTINCT FROM ''run.finished'' OR finish ->> ''status'' IS DISTINCT FROM ''canceled'' OR EXISTS (
    SELECT FROM unnest(texts[:cardinality(texts) - 1]) AS record
    WHERE type_of(record) NOT IN (''engine.started'', ''run.resumed'', ''letter.dropped'')
  ) THEN
    RAISE EXCEPTION ''only a worker records more than that a run was canceled'' USING ERRCODE = ''insufficient_privilege'';
  END IF;
  UPDATE runs SET seq = after_seq + cardinality(texts), status = ''canceled'', exit = (finish ->> ''exit'')::bigint,
    reason = finish ->> ''reason'', fence = fence + 1, owner = NULL, executor = NULL, lease_until = NULL
  WHERE id = of_run AND seq = after_seq AND (owner IS NULL OR lease_until <= now_ms())
    AND status NOT IN (''done'', ''error'', ''blocked'', ''stalled'', ''canceled'');
  IF NOT FOUND THEN RETURN FALSE; END IF;
  INSERT INTO journal (run, seq, record)
  SELECT of_run, after_seq + place, record FROM unnest(texts) WITH ORDINALITY AS added (record, place);
  UPDATE inbox SET read_at = now_ms() WHERE run = of_run AND id = ANY (letters) AND read_at IS NULL;
  DELETE FROM tasks WHERE run = of_run AND worker IS NULL;
  RETURN TRUE;
END';

-- Such a function finds its tables where they were made, and never what somebody calls like them.
DO $$
DECLARE
  made REGPROCEDURE;
BEGIN
  FOR made IN SELECT oid FROM pg_proc WHERE pronamespace = current_schema()::regnamespace AND prosecdef LOOP
    EXECUTE format('ALTER FUNCTION %s SET search_path = %I, pg_temp', made, current_schema());
    EXECUTE format('REVOKE EXECUTE ON FUNCTION %s FROM PUBLIC', made);
  END LOOP;
END $$;
`;
