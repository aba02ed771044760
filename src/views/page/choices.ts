import { refusalAmong } from "../../core/authoring/refusal.ts";
import type { OpenApproval } from "../questions.ts";
import type { Choice } from "./page.ts";

/** What can be answered, and what each answer leads to: in the question's own words where it has some. */
export function choicesOf(asked: OpenApproval): readonly Choice[] {
  const { choices, words = [], revises } = asked;
  return choices.map((name) => ({
    name,
    leadsTo: leadsTo(asked, name),
    needsWords: words.includes(name) || name === revises,
  }));
}

function leadsTo({ choices, revises, pause, leads = {} }: OpenApproval, name: string): string {
  const said = Object.hasOwn(leads, name) ? leads[name] : undefined;
  if (said !== undefined) return said;
  if (pause) return "the run goes on";
  if (name === revises) return "goes back with your note";
  return name === refusalAmong(choices) ? "it ends here" : "the run goes on";
}
