import type { Tree } from "../../../core/authoring/tree.ts";
import type { Verbs } from "../../../core/authoring/verbs.ts";
import type { IterationSummary } from "../artifacts.ts";
import { type DoneItem, formatDoneItem } from "./done-brief.ts";
import type { Item } from "./roadmap.ts";

type ContinueInput = Pick<DoneItem, "account" | "branch" | "message"> & {
  readonly item: Item;
  readonly summary: IterationSummary;
  readonly more: boolean;
  /** The trees before and after the item. */
  readonly from: Tree;
  readonly to: Tree;
};

const LEADS = { continue: "the next item starts, with your note", stop: "the run ends after this item" };

/**
 * @rule R-25 (policy) Interactive mode asks between items whether to continue; autonomous mode continues.
 * @rule R-42 (code) The engine asks only whether to continue, whether weakened tests are intended, whether the commit
 *   may be made, and for the correction of an unreadable file.
 */
export async function askToContinue({ ask, see }: Pick<Verbs<unknown>, "ask" | "see">, about: ContinueInput) {
  const { item, summary, more, from, to, ...done } = about;
  if (!more) return {};
  const changed = (await see("changes", { from, to })).map(({ path }) => path);
  const title = `Item ${item.id} is done. Continue with ${summary.next}?`;
  const { choice, note } = await ask({
    title,
    show: summary,
    brief: formatDoneItem({ ...done, changed, next: summary.next }),
    choices: ["continue", "stop"],
    auto: "continue",
    leads: LEADS,
  });
  // The person's note goes to the next item.
  if (choice === "continue") return { note };
  return { end: { status: "done" as const, reason: `stopped after item ${item.id}`, report: { result: "STOPPED" } } };
}
