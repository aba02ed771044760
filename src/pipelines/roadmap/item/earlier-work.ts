import type { Finding } from "../../../core/authoring/finding.ts";
import type { Tree } from "../../../core/authoring/tree.ts";
import type { Verbs } from "../../../core/authoring/verbs.ts";
import { canonical } from "../../../core/text/json.ts";
import type { Item } from "../choosing/roadmap.ts";
import type { BlockedWork } from "../recording/memory.ts";
import type { Answers } from "../steps.ts";

/** What the last run of this item left, as far as it can be gone on with. */
export type EarlierWork = {
  readonly tree: Tree;
  /** What that run had changed and is in the tree. */
  readonly files: readonly string[];
  /** By step: what was answered and passed, where only the form of a later answer was wrong. */
  readonly answers: Answers;
  /** For whoever takes the item up again. */
  readonly told: { readonly blockedAt: string; readonly findings: readonly Finding[]; readonly work: string };
};

/**
 * A blocked item that a person has set ready goes on from its own work and from what was found in it. Work that no
 * longer fits, or that is gone, is begun anew; what was found still counts. Where nothing but the form of an answer was
 * wrong, that step is the first that is sent to anybody: the answers before it are judged again, and not asked for.
 */
export async function earlierWork(
  verbs: Verbs<unknown>,
  { left, item, base }: { readonly left: BlockedWork | undefined; readonly item: Item; readonly base: Tree },
): Promise<EarlierWork | undefined> {
  if (!left) return undefined;
  const { tree, work } = await fitted(verbs, left, base);
  const answers = work === HERE || work === NONE ? answersIn(left, item) : {};
  const changes = tree.tree === base.tree ? [] : await verbs.see("changes", { from: base, to: tree });
  const told = { blockedAt: left.step, findings: left.findings, work };
  return { tree, files: changes.map(({ path }) => path), answers, told };
}

/** An item that asks for something else by now was never answered. */
function answersIn({ unread }: BlockedWork, { title, acceptanceCriteria }: Item): Answers {
  if (!unread || title !== unread.title) return {};
  return canonical(acceptanceCriteria) === canonical(unread.acceptanceCriteria) ? unread.answers : {};
}

const HERE = "It is in your working directory; `git diff base` shows it. Go on from it.";
const NONE = "There is none: nothing was built.";
const GONE = "It is gone from this repository: begin anew.";

async function fitted(
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
  return { tree: base, work: `It does not fit onto what was committed since (${where}): begin anew.` };
}
