import type { Entry } from "./entry.ts";
import type { Event } from "./place.ts";

/** Returns whether a person reads the plan. Only then its declarations count; a roadmap always belongs to a person. */
export const isAttended = (entry: Entry): boolean =>
  entry.kind === "lie" ? entry.approved === true : entry.pipeline !== "roadmap" && (entry.announces ?? []).length > 0;

export type Answer = { readonly approval: string; readonly choice: string };

/**
 * Returns the answers of such a person: yes to the plan's declarations, otherwise the automatic answer. A question
 * without an automatic answer stays open: then the run has asked.
 */
export function answersTo(events: readonly Event[]): readonly Answer[] {
  const decided = new Set(events.flatMap((each) => (each.type === "approval.decided" ? [each["approval"]] : [])));
  const open = events.filter((each) => each.type === "approval.requested" && !decided.has(each["approval"]));
  return open.flatMap((each) => {
    const choice = ANNOUNCED.test(String(each["title"])) ? "yes" : String(each["auto"]);
    return choice === "never" ? [] : [{ approval: String(each["approval"]), choice }];
  });
}

const ANNOUNCED = /changes how something behaves/;
