/**
 * All that a person of a team may write has a bound, so that nobody fills the memory of those who read it. Rows of before
 * stay as they are; readers leave out what is longer. Notes of a run are only added, and each row has the role of whoever
 * wrote it: nobody replaces another's.
 */
export const bounds = `
ALTER TABLE inbox ADD CONSTRAINT a_message_has_at_most_256_kb CHECK (octet_length(letter) <= 262144) NOT VALID;
ALTER TABLE trust ADD CONSTRAINT a_consent_has_short_names CHECK (
  octet_length(repo) <= 2048 AND octet_length(hash) <= 256 AND octet_length(by_name) <= 256
) NOT VALID;

ALTER TABLE notes DROP CONSTRAINT notes_pkey;
ALTER TABLE notes ADD COLUMN number BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY;
ALTER TABLE notes ADD COLUMN role TEXT;
ALTER TABLE notes ADD COLUMN at BIGINT;
ALTER TABLE notes ADD CONSTRAINT notes_have_at_most_1_mb CHECK (octet_length(run) <= 200 AND octet_length(body) <= 1048576) NOT VALID;
CREATE INDEX notes_by_run ON notes (run, number);
CREATE TRIGGER signed BEFORE INSERT ON notes FOR EACH ROW EXECUTE FUNCTION sign_row();
CREATE TRIGGER fixed BEFORE UPDATE OR DELETE ON notes FOR EACH ROW EXECUTE FUNCTION refuse_change();

CREATE FUNCTION note_run(of_run TEXT, text TEXT) RETURNS VOID LANGUAGE plpgsql SECURITY DEFINER AS '
BEGIN
  IF (SELECT count(*) FROM notes WHERE run = of_run AND role = session_user) >= 100 THEN
    RAISE EXCEPTION ''a run has at most 100 notes of one role'' USING ERRCODE = ''program_limit_exceeded'';
  END IF;
  INSERT INTO notes (run, body, at) VALUES (of_run, text, now_ms());
END';

-- One role cannot hide the messages of others behind its own.
CREATE FUNCTION bound_letters() RETURNS TRIGGER LANGUAGE plpgsql SECURITY DEFINER AS '
BEGIN
  IF (SELECT count(*) FROM inbox WHERE run = NEW.run AND role = session_user AND read_at IS NULL) >= 100 THEN
    RAISE EXCEPTION ''a run has at most 100 unread messages of one role'' USING ERRCODE = ''program_limit_exceeded'';
  END IF;
  RETURN NEW;
END';
CREATE TRIGGER bounded BEFORE INSERT ON inbox FOR EACH ROW EXECUTE FUNCTION bound_letters();

CREATE FUNCTION total_bytes(texts TEXT[]) RETURNS BIGINT LANGUAGE SQL IMMUTABLE AS
  'SELECT coalesce(sum(octet_length(text)), 0)::bigint FROM unnest(texts) AS text';

-- What a run brings from another is no longer than what that one has.
CREATE FUNCTION require_small_start(texts TEXT[], ledger JSON) RETURNS VOID LANGUAGE plpgsql SECURITY DEFINER AS '
DECLARE
  source TEXT;
  records BIGINT := 0;
  bytes BIGINT := 0;
BEGIN
  IF octet_length(texts[1]) > 4194304 THEN
    RAISE EXCEPTION ''the start of a run has at most 4 MB'' USING ERRCODE = ''program_limit_exceeded'';
  END IF;
  source := fields_of(texts[1]) -> ''from'' ->> ''run'';
  IF source IS NOT NULL THEN
    SELECT count(*), coalesce(sum(octet_length(record)), 0) INTO records, bytes FROM journal WHERE run = source;
  END IF;
  IF cardinality(texts) > records + 1 OR total_bytes(texts) > bytes + 4194304
    OR octet_length(ledger::text) > bytes + 4194304
  THEN
    RAISE EXCEPTION ''a run brings no more than the run has that it goes on from'' USING ERRCODE = ''program_limit_exceeded'';
  END IF;
END';

CREATE OR REPLACE FUNCTION create_run(new_run TEXT, of_pipeline TEXT, of_repo TEXT, texts TEXT[], ledger JSON)
RETURNS BOOLEAN LANGUAGE plpgsql SECURITY DEFINER AS '
BEGIN
  -- However it was numbered, an array of texts is one list from 1 on.
  texts := ARRAY(SELECT unnest(texts));
  -- Its id names folders and refs; the beginning of one that people type is nobody''s own.
  IF new_run !~ ''^[a-z0-9][a-z0-9-]{0,99}$'' OR NOT is_worker() AND new_run !~ ''^[0-9]{8}-[0-9]{6}-[0-9a-z]{6,}$'' THEN
    RAISE EXCEPTION ''a run is called by its date, its time and six characters'' USING ERRCODE = ''invalid_parameter_value'';
  END IF;
  IF octet_length(of_repo) > 2048 THEN
    RAISE EXCEPTION ''a repository is called by at most 2048 bytes'' USING ERRCODE = ''program_limit_exceeded'';
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
  IF NOT is_worker() THEN PERFORM require_small_start(texts, ledger); END IF;
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
  IF NOT is_worker() AND (cardinality(texts) > 1000 OR total_bytes(texts) > 4194304) THEN
    RAISE EXCEPTION ''a run is canceled by at most 1000 records of 4 MB together'' USING ERRCODE = ''program_limit_exceeded'';
  END IF;
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

CREATE FUNCTION bound_needs() RETURNS TRIGGER LANGUAGE plpgsql SECURITY DEFINER AS '
BEGIN
  IF cardinality(NEW.needs) > 100 OR total_bytes(NEW.needs) > 16384 THEN
    RAISE EXCEPTION ''a run has at most 100 needs of 16 kB together'' USING ERRCODE = ''program_limit_exceeded'';
  END IF;
  RETURN NEW;
END';
CREATE TRIGGER bounded BEFORE UPDATE OF needs ON runs FOR EACH ROW EXECUTE FUNCTION bound_needs();

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
