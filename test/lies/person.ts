import type { Entry } from "./entry.ts";
import type { Event } from "./place.ts";

/** Does somebody read the plan? Only then what it announces counts; a roadmap is a person's anyway. */
export const isAttended = (entry: Entry): boolean =>
  entry.kind === "lie" ? entry.approved === true : entry.pipeline !== "roadmap" && (entry.announces ?? []).length > 0;

export type Answer = { readonly approval: string; readonly choice: string };

/**
 * What such a person says: yes to what the plan announces, and else what would be taken for granted without anybody.
 * What nobody may take for granted stays open: then the run has asked.
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
