import { explainSkippedExam, formatNewOnOld } from "../../../core/checks/exam/exam-run-words.ts";
import { explainCheck, getOutcomeWord } from "../../../core/checks/outcome/explain-check.ts";
import type { JournalRecord } from "../../../core/journal/record.ts";
import type { StateName } from "../../states.ts";
import type { CheckRow } from "../page.ts";
import type { MarkChanged, RowProducer, RowWithoutSeq } from "./row-producer.ts";

type Recorded = JournalRecord<"evidence.recorded">;

/** Creates one row per check result that the engine recorded. Such a row never changes. */
export function createCheckRows(touch: MarkChanged): RowProducer {
  const seen = new Map<string, { readonly record: Recorded; readonly phase: string }>();
  return {
    taking: {
      "evidence.recorded": (record, step) => {
        const id = `check:${record.seq}`;
        seen.set(id, { record, phase: step?.phase ?? "" });
        touch(id, { seq: record.seq, live: false });
      },
    },
    row(id) {
      const found = seen.get(id);
      if (!found) throw new Error(`no check ${id}`);
      return checkRow(id, found.phase, found.record);
    },
  };
}

function checkRow(id: string, phase: string, record: Recorded): RowWithoutSeq<CheckRow> {
  const { key, task, check, round, tree, exitCode, ts, ms, turn, command, tests } = record;
  return {
    kind: "check",
    id,
    phase,
    state: explainSkippedExam(record) === undefined ? toCheckState(record) : "skipped",
    ...{ key, task, check, round, tree, exitCode },
    at: ts,
    ms,
    when: record.phase,
    turn,
    command,
    because: explainSkippedExam(record) ?? formatNewOnOld(record) ?? explainCheck(record),
    tests: tests ? { passed: tests.passed, failed: tests.failed, skipped: tests.skipped } : null,
    failing: tests?.failing?.slice(0, MAX_FAILING) ?? [],
    excerpt: record.excerpt ?? record.snippet,
  };
}

/** Maximum number of listed failing tests. The full output is available separately. */
const MAX_FAILING = 200;

/** Returns the state of a check. A failure on the baseline is red-before: it existed before the work. */
export function toCheckState(record: Pick<Recorded, "outcome" | "passed" | "phase">): StateName {
  const word = getOutcomeWord(record);
  if (word === "regression") return "failed";
  return word === "failed" && record.phase === "baseline" ? "red-before" : word;
}
