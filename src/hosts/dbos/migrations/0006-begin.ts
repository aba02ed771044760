/**
 * A run begins with how it was started: only one that goes on from another brings steps along, which are held against
 * that one. Who submitted a run, and when a letter came, is the database's to say. A cancellation speaks in the name of
 * whoever wrote the letter that wants it, and of nobody else.
 */
export const begin = `
ALTER TABLE runs ADD COLUMN submitter TEXT;

CREATE FUNCTION is_worker() RETURNS BOOLEAN LANGUAGE SQL STABLE AS
  'SELECT EXISTS (
     SELECT FROM pg_catalog.pg_roles WHERE rolname = ''signalbox_worker'' AND pg_has_role(session_user, oid, ''MEMBER''))';

-- A function that reads JSON takes no NUL, which a note may hold.
CREATE FUNCTION fields_of(record TEXT) RETURNS JSON LANGUAGE SQL IMMUTABLE AS
  'SELECT replace(record, ''\\u0000'', ''\\u0020'')::json';

CREATE FUNCTION date_letter() RETURNS TRIGGER LANGUAGE plpgsql SECURITY DEFINER AS
  'BEGIN NEW.at := now_ms(); RETURN NEW; END';
CREATE TRIGGER dated BEFORE INSERT ON inbox FOR EACH ROW EXECUTE FUNCTION date_letter();

CREATE OR REPLACE FUNCTION create_run(new_run TEXT, of_pipeline TEXT, of_repo TEXT, texts TEXT[], ledger JSON)
RETURNS BOOLEAN LANGUAGE plpgsql SECURITY DEFINER AS '
BEGIN
  -- However it was numbered, an array of texts is one list from 1 on.
  texts := ARRAY(SELECT unnest(texts));
  -- Its id names folders and refs; the beginning of one that people type is nobody''s own.
  IF new_run !~ ''^[a-z0-9][a-z0-9-]{0,99}$'' OR NOT is_worker() AND new_run !~ ''^[0-9]{8}-[0-9]{6}-[0-9a-z]{6,}$'' THEN
    RAISE EXCEPTION ''a run is called by its date, its time and six characters'' USING ERRCODE = ''invalid_parameter_value'';
  END IF;
  IF of_pipeline !~ ''^[[:alnum:]][[:alnum:]_.-]{0,99}$'' THEN
    RAISE EXCEPTION ''a pipeline is called by letters, digits, dashes, dots and underscores'' USING ERRCODE = ''invalid_parameter_value'';
  END IF;
  IF EXISTS (
    SELECT FROM unnest(texts) WITH ORDINALITY AS added (record, place)
    WHERE (type_of(record) = ''run.started'') <> (place = 1) OR type_of(record) ~ ''^(run|engine|letter)[.]'' AND place > 1
  ) THEN
    RAISE EXCEPTION ''a run begins with its start, and at most with steps'' USING ERRCODE = ''insufficient_privilege'';
  END IF;
  IF NOT is_worker() AND (cardinality(texts) = 0 OR NOT EXISTS (
    SELECT FROM runs WHERE id = fields_of(texts[1]) -> ''from'' ->> ''run'' AND repo = of_repo
  ) AND (
    cardinality(texts) > 1 OR ledger IS NOT NULL AND EXISTS (
      SELECT FROM json_each(ledger) AS given, json_array_elements(given.value)
    )
  )) THEN
    RAISE EXCEPTION ''a run begins with its start alone, unless it goes on from another'' USING ERRCODE = ''insufficient_privilege'';
  END IF;
  IF ledger IS NOT NULL AND EXISTS (
    SELECT FROM json_each(ledger) AS given, json_array_elements(given.value) AS added
    WHERE added ->> ''run_id'' IS DISTINCT FROM new_run
  ) THEN
    RAISE EXCEPTION ''a run begins with rows of its own, and with nobody else''''s'' USING ERRCODE = ''insufficient_privilege'';
  END IF;
  INSERT INTO runs (id, pipeline, repo, created_at, seq, born, submitter)
  VALUES (new_run, of_pipeline, of_repo, now_ms(), cardinality(texts), cardinality(texts), session_user)
  ON CONFLICT (id) DO NOTHING;
  IF NOT FOUND THEN RETURN FALSE; END IF;
  INSERT INTO journal (run, seq, record)
  SELECT new_run, place, record FROM unnest(texts) WITH ORDINALITY AS added (record, place);
  IF ledger IS NOT NULL THEN PERFORM insert_ledger(ledger); END IF;
  RETURN TRUE;
END';

CREATE OR REPLACE FUNCTION cancel_run(of_run TEXT, after_seq BIGINT, texts TEXT[], letters BIGINT[])
RETURNS BOOLEAN LANGUAGE plpgsql SECURITY DEFINER AS '
DECLARE
  finish JSON;
BEGIN
  texts := ARRAY(SELECT unnest(texts));
  finish := fields_of(texts[cardinality(texts)]);
  IF finish ->> ''type'' IS DISTINCT FROM ''run.finished'' OR finish ->> ''status'' IS DISTINCT FROM ''canceled''
    OR finish ->> ''exit'' IS DISTINCT FROM ''1''
    OR NOT coalesce(starts_with(finish ->> ''reason'', ''canceled by '' || (finish ->> ''by'')), FALSE)
    OR EXISTS (SELECT FROM json_object_keys(finish) AS key WHERE key IN (''commit'', ''confidence'', ''caveats'', ''report'', ''rows''))
    OR EXISTS (
      SELECT FROM unnest(texts[:cardinality(texts) - 1]) AS record
      WHERE type_of(record) NOT IN (''engine.started'', ''run.resumed'', ''letter.dropped'')
    )
  THEN
    RAISE EXCEPTION ''only a worker records more than that a run was canceled'' USING ERRCODE = ''insufficient_privilege'';
  END IF;
  -- Whose words these are, the letters say that they are taken from.
  IF EXISTS (
    SELECT FROM unnest(texts) AS record, LATERAL fields_of(record) AS said
    WHERE said ->> ''type'' <> ''engine.started'' AND NOT EXISTS (
      SELECT FROM inbox WHERE run = of_run AND id = ANY (letters) AND read_at IS NULL AND role = said ->> ''role''
        AND (said ->> ''by'' = role OR starts_with(said ->> ''by'', role || '' through '')
          AND substr(said ->> ''by'', length(role) + 10) ~ ''^[[:alnum:] ._-]{1,60}$'')
        AND (said ->> ''type'' <> ''run.finished'' OR strpos(letter, ''"kind":"cancel"'') > 0)
        AND (said ->> ''type'' <> ''run.resumed'' OR strpos(letter, ''"kind":"resume"'') > 0
          AND (said ->> ''note'' IS NULL OR strpos(letter, to_json(said ->> ''note'')::text) > 0))
    )
  ) THEN
    RAISE EXCEPTION ''a run is canceled in the name of who wants it, by a letter of theirs'' USING ERRCODE = ''insufficient_privilege'';
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
