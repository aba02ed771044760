import { SignalboxError } from "../../core/failure/errors.ts";
import type { ExamRequest } from "../../core/journal/effect.ts";
import type { JournalRecord } from "../../core/journal/record.ts";
import type { Workspace } from "../../core/ports/workspace.ts";
import { composeExam } from "../../engine/execute/exam-trees/compose-exam.ts";
import type { Difference } from "../../surfaces/reports/anchor.ts";

export type ExamVerification = {
  /** Exams recomposed from the same halves. */
  readonly composed: number;
  /** Exams that cannot be recomposed because a half is no longer in the repository. */
  readonly gone: number;
  readonly differences: readonly Difference[];
};

type ExamRecord = JournalRecord<"evidence.recorded"> & {
  readonly halves: { readonly code: string; readonly exam: string };
};

/** Recomposes the tree of every exam. A tree that does not match its halves was tested with another exam. */
export async function verifyExams(workspace: Workspace, records: readonly JournalRecord[]): Promise<ExamVerification> {
  const sittings = new Map(records.filter(isExamRecord).map((record) => [`${record.check} ${record.tree}`, record]));
  const terms = readExamTerms(records);
  const made = await Promise.all([...sittings.values()].map((record) => verifyExam(workspace, record, terms)));
  return {
    composed: made.filter((each) => each !== "gone").length,
    gone: made.filter((each) => each === "gone").length,
    differences: made.flatMap((each) => (each === "gone" ? [] : each)),
  };
}

function isExamRecord(record: JournalRecord): record is ExamRecord {
  return record.type === "evidence.recorded" && record.halves !== undefined;
}

type ExamTerms = Pick<ExamRequest, "lines" | "halves">;

/**
 * Builds the exam request as the engine does: files that commands start, and the configured halves, belong to the exam.
 */
function readExamTerms(records: readonly JournalRecord[]): ExamTerms {
  const started = records.find((record) => record.type === "run.started");
  if (!started) return {};
  const lines = [...(started.setup ? [started.setup.run] : []), ...started.commands.map(({ run }) => run)];
  return { lines, ...(started.exam ? { halves: started.exam } : {}) };
}

async function verifyExam(
  workspace: Workspace,
  record: ExamRecord,
  terms: ExamTerms,
): Promise<readonly Difference[] | "gone"> {
  const { seq, check, tree, halves } = record;
  try {
    if ((await composeTrees(workspace, record, terms)).includes(tree)) return [];
  } catch (error) {
    if (error instanceof SignalboxError && MISSING_OBJECT.has(error.code)) return "gone";
    throw error;
  }
  const [sat, exam, code] = [tree, halves.exam, halves.code].map((id) => id.slice(0, 10));
  const message = `${check} ran on ${sat}, which is not the exam of ${exam} on the code of ${code}`;
  return [{ where: "exam", seq, message }];
}

/** Errors for halves that garbage collection removed or that git cannot read. */
export const MISSING_OBJECT: ReadonlySet<string> = new Set(["OBJECT_GONE", "GIT_FAILED"]);

async function composeTrees(
  workspace: Workspace,
  { check, halves }: ExamRecord,
  terms: ExamTerms,
): Promise<readonly (string | undefined)[]> {
  const { code, exam } = halves;
  if (check === "exam-new-on-old") return [(await composeExam(workspace, { ...terms, old: code, new: exam })).newOnOld];
  const trees = await composeExam(workspace, { ...terms, old: exam, new: code });
  return [trees.oldOnNew ?? code, trees.oldOnNewOldPackages];
}
