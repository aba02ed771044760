import type { Finding } from "../../../core/authoring/finding.ts";
import type { Tree } from "../../../core/authoring/tree.ts";
import type { Verbs } from "../../../core/authoring/verbs.ts";
import { canonical } from "../../../core/text/json.ts";
import type { Item } from "../choosing/roadmap.ts";
import type { BlockedWork } from "../recording/memory.ts";
import type { StepAnswers } from "../steps.ts";

/** Work of the last run of this item, as far as it can be continued. */
export type EarlierWork = {
  readonly tree: Tree;
  /** Files that the run changed and that are in the tree. */
  readonly files: readonly string[];
  /** Contracts that passed, by step, if only the form of a later answer was wrong. */
  readonly answers: StepAnswers;
  /** Input for the agents of this run. */
  readonly input: { readonly blockedAt: string; readonly findings: readonly Finding[]; readonly work: string };
};

/**
 * A blocked item that a person set to ready continues from its own work and its findings. If that work is gone or does
 * not merge, the item restarts, and the findings still apply. If only the form of an answer was wrong, the run starts
 * with that step: earlier answers are judged again but not requested again.
 */
export async function findEarlierWork(
  verbs: Verbs<unknown>,
  { left, item, base }: { readonly left: BlockedWork | undefined; readonly item: Item; readonly base: Tree },
): Promise<EarlierWork | undefined> {
  if (!left) return undefined;
  const { tree, work } = await fitWork(verbs, left, base);
  const answers = work === HERE || work === NONE ? selectAnswers(left, item) : {};
  const changes = tree.tree === base.tree ? [] : await verbs.see("changes", { from: base, to: tree });
  const input = { blockedAt: left.step, findings: left.findings, work };
  return { tree, files: changes.map(({ path }) => path), answers, input };
}

/** Stored answers do not apply if the item has changed. */
function selectAnswers({ unread }: BlockedWork, { title, acceptanceCriteria }: Item): StepAnswers {
  if (!unread || title !== unread.title) return {};
  return canonical(acceptanceCriteria) === canonical(unread.acceptanceCriteria) ? unread.answers : {};
}

const HERE = "It is in your working directory; `git diff base` shows it. Continue from it.";
const NONE = "There is none: nothing was built.";
const GONE = "It no longer exists in this repository: start over.";

async function fitWork(
  { see, merge }: Verbs<unknown>,
  left: BlockedWork,
  base: Tree,
): Promise<{ readonly tree: Tree; readonly work: string }> {
  const [tree, from] = [{ tree: left.tree }, { tree: left.base }];
  if (left.tree === left.base) return { tree: base, work: NONE };
  if (!(await see("has", { in: tree }))) return { tree: base, work: GONE };
  if (left.base === base.tree) return { tree, work: HERE };
  if (!(await see("has", { in: from }))) return { tree: base, work: GONE };
  const merged = await merge(from, [base, tree]);
  if (merged.clean) return { tree: merged.tree, work: HERE };
  const where = merged.conflicts.join(", ");
  return { tree: base, work: `It conflicts with later commits (${where}): start over.` };
}
