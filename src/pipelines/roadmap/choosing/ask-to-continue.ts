import type { Tree } from "../../../core/authoring/tree.ts";
import type { Verbs } from "../../../core/authoring/verbs.ts";
import type { Summary } from "../artifacts.ts";
import { type DoneItem, doneRead } from "./done-read.ts";
import type { Item } from "./roadmap.ts";

type NextItem = Pick<DoneItem, "account" | "branch" | "message"> & {
  readonly item: Item;
  readonly summary: Summary;
  readonly more: boolean;
  /** What the item started from, and what it left. */
  readonly from: Tree;
  readonly to: Tree;
};

const LEADS = { continue: "the next item begins, with your note", stop: "the run ends after this item" };

/**
 * @rule R-25 (policy) Interactive mode asks between two items whether to go on; autonomous mode goes on.
 * @rule R-42 (code) Nothing is asked but whether to go on, whether a block for weakened tests stands, and for the
 *   correction of a file that became unreadable.
 */
export async function askToContinue({ ask, see }: Pick<Verbs<unknown>, "ask" | "see">, about: NextItem) {
  const { item, summary, more, from, to, ...done } = about;
  if (!more) return {};
  const changed = (await see("changes", { from, to })).map(({ path }) => path);
  const title = `Item ${item.id} is done. Go on with ${summary.next}?`;
  const { choice, note } = await ask({
    title,
    show: summary,
    brief: doneRead({ ...done, changed, next: summary.next }),
    choices: ["continue", "stop"],
    auto: "continue",
    leads: LEADS,
  });
  // What the person says on the way is for whoever works next.
  if (choice === "continue") return { note };
  return { end: { status: "done" as const, reason: `stopped after item ${item.id}`, report: { result: "STOPPED" } } };
}
