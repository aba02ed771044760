import type { Verbs } from "../../../core/authoring/verbs.ts";
import type { Summary } from "../artifacts.ts";
import type { Item } from "./roadmap.ts";

type NextItem = { readonly item: Item; readonly summary: Summary; readonly more: boolean };

const LEADS = { continue: "the next item begins, with your note", stop: "the run ends after this item" };

/**
 * @rule R-25 (policy) Interactive mode asks between two items whether to go on; autonomous mode goes on.
 * @rule R-42 (code) Nothing is asked but whether to go on, whether a block for weakened tests stands, and for the
 *   correction of a file that became unreadable.
 */
export async function askToContinue({ ask }: Pick<Verbs<unknown>, "ask">, { item, summary, more }: NextItem) {
  if (!more) return {};
  const title = `Item ${item.id} is done. Go on with ${summary.next}?`;
  const { choice, note } = await ask({
    title,
    show: summary,
    choices: ["continue", "stop"],
    auto: "continue",
    leads: LEADS,
  });
  // What the person says on the way is for whoever works next.
  if (choice === "continue") return { note };
  return { end: { status: "done" as const, reason: `stopped after item ${item.id}`, report: { result: "STOPPED" } } };
}
