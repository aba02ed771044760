/** Times are milliseconds of the database's own clock: workers' clocks differ, this one is shared. */
export const init = `
CREATE FUNCTION now_ms() RETURNS BIGINT LANGUAGE SQL VOLATILE AS
  'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint';

CREATE TABLE runs (
  number BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  pipeline TEXT NOT NULL,
  repo TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  status TEXT NOT NULL DEFAULT 'running',
  exit BIGINT,
  reason TEXT,
  owner TEXT,
  executor TEXT,
  lease_until BIGINT,
  fence BIGINT NOT NULL DEFAULT 0,
  seq BIGINT NOT NULL DEFAULT 0,
  drives BIGINT NOT NULL DEFAULT 0,
  queue TEXT,
  abandoned BOOLEAN NOT NULL DEFAULT FALSE,
  CHECK ((owner IS NULL) = (lease_until IS NULL))
);
CREATE INDEX runs_by_repo ON runs (repo, number);
CREATE INDEX runs_by_queue ON runs (queue, status);

CREATE TABLE journal (
  run TEXT NOT NULL REFERENCES runs (id),
  seq BIGINT NOT NULL CHECK (seq > 0),
  record TEXT NOT NULL,
  PRIMARY KEY (run, seq)
);

CREATE TABLE inbox (
  id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  run TEXT NOT NULL REFERENCES runs (id),
  at BIGINT NOT NULL,
  letter TEXT NOT NULL,
  read_at BIGINT
);
CREATE INDEX inbox_unread ON inbox (run, id) WHERE read_at IS NULL;

CREATE TABLE blobs (digest TEXT PRIMARY KEY, body BYTEA NOT NULL);

CREATE TABLE effects (id TEXT PRIMARY KEY, begun_at BIGINT NOT NULL);
CREATE TABLE stops (workflow TEXT PRIMARY KEY);
CREATE TABLE executors (id TEXT PRIMARY KEY, queue TEXT NOT NULL, until BIGINT NOT NULL);

CREATE TABLE anvil_checks (
  id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  run_id TEXT NOT NULL,
  task_id TEXT NOT NULL DEFAULT '',
  phase TEXT NOT NULL CHECK (phase IN ('baseline', 'after', 'review')),
  check_name TEXT NOT NULL,
  tool TEXT,
  command TEXT,
  exit_code BIGINT,
  output_snippet TEXT CHECK (LENGTH(output_snippet) <= 500),
  passed BIGINT NOT NULL CHECK (passed IN (0, 1)),
  verdict TEXT CHECK (verdict IN ('approve', 'needs_revision', 'blocker')),
  severity TEXT CHECK (severity IN ('Blocker', 'Critical', 'Major', 'Minor')),
  round BIGINT NOT NULL DEFAULT 1,
  instance TEXT NOT NULL DEFAULT '',
  tree TEXT NOT NULL DEFAULT '',
  ts TEXT NOT NULL,
  UNIQUE (run_id, task_id, phase, round, instance, check_name, tree)
);

CREATE TABLE pipeline_telemetry (
  id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  run_id TEXT NOT NULL,
  step TEXT NOT NULL,
  agent TEXT NOT NULL,
  instance TEXT,
  started_at TEXT NOT NULL,
  completed_at TEXT,
  status TEXT CHECK (status IN ('DONE', 'NEEDS_REVISION', 'ERROR', 'TIMEOUT')),
  dispatch_count BIGINT NOT NULL DEFAULT 1,
  retry_count BIGINT NOT NULL DEFAULT 0,
  notes TEXT CHECK (LENGTH(notes) <= 1000),
  ts TEXT NOT NULL
);
CREATE INDEX pipeline_telemetry_by_step ON pipeline_telemetry (run_id, step);

CREATE TABLE artifact_evaluations (
  id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  run_id TEXT NOT NULL,
  evaluator_agent TEXT NOT NULL,
  evaluator_instance TEXT,
  artifact_path TEXT NOT NULL CHECK (SUBSTR(artifact_path, 1, 1) <> '/' AND SUBSTR(artifact_path, 1, 3) <> '../'),
  usefulness_score BIGINT NOT NULL CHECK (usefulness_score BETWEEN 1 AND 10),
  clarity_score BIGINT NOT NULL CHECK (clarity_score BETWEEN 1 AND 10),
  missing_information TEXT CHECK (LENGTH(missing_information) <= 2000),
  inaccuracies TEXT CHECK (LENGTH(inaccuracies) <= 2000),
  impact_on_work TEXT CHECK (LENGTH(impact_on_work) <= 2000),
  ts TEXT NOT NULL
);
CREATE INDEX artifact_evaluations_by_run ON artifact_evaluations (run_id, artifact_path);

CREATE TABLE instruction_updates (
  id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  run_id TEXT NOT NULL,
  agent TEXT NOT NULL,
  file_path TEXT NOT NULL CHECK (
    SUBSTR(file_path, 1, 21) = '.github/instructions/' OR file_path = '.github/copilot-instructions.md'
  ),
  change_type TEXT NOT NULL CHECK (change_type IN ('create', 'append', 'modify', 'delete')),
  change_summary TEXT NOT NULL CHECK (LENGTH(change_summary) <= 1000),
  applied BIGINT NOT NULL DEFAULT 0 CHECK (applied IN (0, 1)),
  ts TEXT NOT NULL
);
CREATE INDEX instruction_updates_by_run ON instruction_updates (run_id);

CREATE FUNCTION refuse_change() RETURNS TRIGGER LANGUAGE plpgsql AS
  'BEGIN RAISE EXCEPTION ''%: what is recorded is never changed or deleted'', TG_TABLE_NAME; END';
CREATE TRIGGER fixed BEFORE UPDATE OR DELETE ON journal FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER fixed BEFORE UPDATE OR DELETE ON anvil_checks FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER fixed BEFORE UPDATE OR DELETE ON pipeline_telemetry FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER fixed BEFORE UPDATE OR DELETE ON artifact_evaluations FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER fixed BEFORE UPDATE OR DELETE ON instruction_updates FOR EACH ROW EXECUTE FUNCTION refuse_change();
`;
