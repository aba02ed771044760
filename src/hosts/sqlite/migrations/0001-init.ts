/** The tables of a run, and the ledger under the names that its first users know. */
export const init = `
CREATE TABLE runs (
  number INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  pipeline TEXT NOT NULL,
  repo TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  status TEXT NOT NULL DEFAULT 'running',
  exit INTEGER,
  reason TEXT,
  owner TEXT,
  lease_until INTEGER,
  fence INTEGER NOT NULL DEFAULT 0,
  CHECK ((owner IS NULL) = (lease_until IS NULL))
) STRICT;
CREATE INDEX runs_by_repo ON runs (repo, number);

CREATE TABLE journal (
  run TEXT NOT NULL REFERENCES runs (id),
  seq INTEGER NOT NULL CHECK (seq > 0),
  ts INTEGER NOT NULL,
  type TEXT NOT NULL,
  fact TEXT NOT NULL,
  chain TEXT NOT NULL,
  PRIMARY KEY (run, seq)
) STRICT;

CREATE TABLE inbox (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  run TEXT NOT NULL REFERENCES runs (id),
  at INTEGER NOT NULL,
  letter TEXT NOT NULL,
  read_at INTEGER
) STRICT;
CREATE INDEX inbox_unread ON inbox (run, id) WHERE read_at IS NULL;

CREATE TABLE blobs (
  digest TEXT PRIMARY KEY,
  text TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE anvil_checks (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  run_id TEXT NOT NULL,
  task_id TEXT NOT NULL DEFAULT '',
  phase TEXT NOT NULL CHECK (phase IN ('baseline', 'after', 'review')),
  check_name TEXT NOT NULL,
  tool TEXT,
  command TEXT,
  exit_code INTEGER,
  output_snippet TEXT CHECK (LENGTH(output_snippet) <= 500),
  passed INTEGER NOT NULL CHECK (passed IN (0, 1)),
  verdict TEXT CHECK (verdict IN ('approve', 'needs_revision', 'blocker')),
  severity TEXT CHECK (severity IN ('Blocker', 'Critical', 'Major', 'Minor')),
  round INTEGER NOT NULL DEFAULT 1,
  instance TEXT NOT NULL DEFAULT '',
  tree TEXT NOT NULL DEFAULT '',
  ts TEXT NOT NULL,
  UNIQUE (run_id, task_id, phase, round, instance, check_name, tree)
) STRICT;

CREATE TABLE pipeline_telemetry (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  run_id TEXT NOT NULL,
  step TEXT NOT NULL,
  agent TEXT NOT NULL,
  instance TEXT,
  started_at TEXT NOT NULL,
  completed_at TEXT,
  status TEXT CHECK (status IN ('DONE', 'NEEDS_REVISION', 'ERROR', 'TIMEOUT')),
  dispatch_count INTEGER NOT NULL DEFAULT 1,
  retry_count INTEGER NOT NULL DEFAULT 0,
  notes TEXT CHECK (LENGTH(notes) <= 1000),
  ts TEXT NOT NULL
) STRICT;
CREATE INDEX pipeline_telemetry_by_step ON pipeline_telemetry (run_id, step);

CREATE TABLE artifact_evaluations (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  run_id TEXT NOT NULL,
  evaluator_agent TEXT NOT NULL,
  evaluator_instance TEXT,
  artifact_path TEXT NOT NULL CHECK (SUBSTR(artifact_path, 1, 1) <> '/' AND SUBSTR(artifact_path, 1, 3) <> '../'),
  usefulness_score INTEGER NOT NULL CHECK (usefulness_score BETWEEN 1 AND 10),
  clarity_score INTEGER NOT NULL CHECK (clarity_score BETWEEN 1 AND 10),
  missing_information TEXT CHECK (LENGTH(missing_information) <= 2000),
  inaccuracies TEXT CHECK (LENGTH(inaccuracies) <= 2000),
  impact_on_work TEXT CHECK (LENGTH(impact_on_work) <= 2000),
  ts TEXT NOT NULL
) STRICT;
CREATE INDEX artifact_evaluations_by_run ON artifact_evaluations (run_id, artifact_path);

CREATE TABLE instruction_updates (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  run_id TEXT NOT NULL,
  agent TEXT NOT NULL,
  file_path TEXT NOT NULL CHECK (
    SUBSTR(file_path, 1, 21) = '.github/instructions/' OR file_path = '.github/copilot-instructions.md'
  ),
  change_type TEXT NOT NULL CHECK (change_type IN ('create', 'append', 'modify', 'delete')),
  change_summary TEXT NOT NULL CHECK (LENGTH(change_summary) <= 1000),
  applied INTEGER NOT NULL DEFAULT 0 CHECK (applied IN (0, 1)),
  ts TEXT NOT NULL
) STRICT;
CREATE INDEX instruction_updates_by_run ON instruction_updates (run_id);

CREATE TRIGGER journal_stays BEFORE DELETE ON journal BEGIN SELECT RAISE(ABORT, 'the journal is never deleted from'); END;
CREATE TRIGGER journal_is_fixed BEFORE UPDATE ON journal BEGIN SELECT RAISE(ABORT, 'the journal is never changed'); END;
CREATE TRIGGER checks_stay BEFORE DELETE ON anvil_checks BEGIN SELECT RAISE(ABORT, 'evidence is never deleted'); END;
CREATE TRIGGER checks_are_fixed BEFORE UPDATE ON anvil_checks BEGIN SELECT RAISE(ABORT, 'evidence is never changed'); END;
CREATE TRIGGER telemetry_stays BEFORE DELETE ON pipeline_telemetry BEGIN SELECT RAISE(ABORT, 'telemetry is never deleted'); END;
CREATE TRIGGER telemetry_is_fixed BEFORE UPDATE ON pipeline_telemetry BEGIN SELECT RAISE(ABORT, 'telemetry is never changed'); END;
CREATE TRIGGER evaluations_stay BEFORE DELETE ON artifact_evaluations BEGIN SELECT RAISE(ABORT, 'evaluations are never deleted'); END;
CREATE TRIGGER evaluations_are_fixed BEFORE UPDATE ON artifact_evaluations BEGIN SELECT RAISE(ABORT, 'evaluations are never changed'); END;
CREATE TRIGGER updates_stay BEFORE DELETE ON instruction_updates BEGIN SELECT RAISE(ABORT, 'instruction updates are never deleted'); END;
CREATE TRIGGER updates_are_fixed BEFORE UPDATE ON instruction_updates BEGIN SELECT RAISE(ABORT, 'instruction updates are never changed'); END;
`;
