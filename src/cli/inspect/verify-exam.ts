import { SignalboxError } from "../core/errors.ts";
import type { Workspace } from "../core/ports/workspace.ts";
import type { JournalRecord } from "../core/record.ts";
import { composeExam } from "../engine/perform/exam.ts";
import type { Difference } from "../surfaces/reports/chain.ts";

export type ExamsAgain = {
  /** Composed again out of the same halves. */
  readonly composed: number;
  /** Not possible any more: a half is no longer in the repository. */
  readonly gone: number;
  readonly differences: readonly Difference[];
};

type Sat = JournalRecord<"evidence.recorded"> & { readonly halves: { readonly code: string; readonly exam: string } };

/** Composes the trees of every examination again: one that is not made of what it says was judged by another exam. */
export async function examsAgain(workspace: Workspace, records: readonly JournalRecord[]): Promise<ExamsAgain> {
  const sittings = new Map(records.filter(isSat).map((record) => [`${record.check} ${record.tree}`, record]));
  const lines = linesOf(records);
  const made = await Promise.all([...sittings.values()].map((record) => madeAgain(workspace, record, lines)));
  return {
    composed: made.filter((each) => each !== "gone").length,
    gone: made.filter((each) => each === "gone").length,
    differences: made.flatMap((each) => (each === "gone" ? [] : each)),
  };
}

function isSat(record: JournalRecord): record is Sat {
  return record.type === "evidence.recorded" && record.halves !== undefined;
}

/** As the engine hands them in: what the commands start is the exam too. */
function linesOf(records: readonly JournalRecord[]): readonly string[] {
  const started = records.find((record) => record.type === "run.started");
  return started ? [...(started.setup ? [started.setup.run] : []), ...started.commands.map(({ run }) => run)] : [];
}

async function madeAgain(
  workspace: Workspace,
  record: Sat,
  lines: readonly string[],
): Promise<readonly Difference[] | "gone"> {
  const { seq, check, tree, halves } = record;
  try {
    if ((await treesOf(workspace, record, lines)).includes(tree)) return [];
  } catch (error) {
    if (error instanceof SignalboxError && error.code === "GIT_FAILED") return "gone";
    throw error;
  }
  const [sat, exam, code] = [tree, halves.exam, halves.code].map((id) => id.slice(0, 10));
  const message = `${check} was sat on ${sat}, which is not the exam of ${exam} on the code of ${code}`;
  return [{ where: "exam", seq, message }];
}

async function treesOf(
  workspace: Workspace,
  { check, halves }: Sat,
  lines: readonly string[],
): Promise<readonly (string | undefined)[]> {
  const { code, exam } = halves;
  if (check === "exam-new-on-old") return [(await composeExam(workspace, { old: code, new: exam, lines })).newOnOld];
  const trees = await composeExam(workspace, { old: exam, new: code, lines });
  return [trees.oldOnNew ?? code, trees.oldOnNewOldPackages];
}
