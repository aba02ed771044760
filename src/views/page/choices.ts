import { findRefusingChoice } from "../../core/authoring/refusal.ts";
import type { OpenApproval } from "../questions.ts";
import type { Choice } from "./page.ts";

/** Lists the choices of a question, each with what it leads to. The question's own descriptions take precedence. */
export function listChoices(asked: OpenApproval): readonly Choice[] {
  const { choices, words = [], revises } = asked;
  return choices.map((name) => ({
    name,
    leadsTo: describeConsequence(asked, name),
    needsWords: words.includes(name) || name === revises,
    revises: name === revises,
  }));
}

function describeConsequence({ choices, revises, pause, leads = {} }: OpenApproval, name: string): string {
  const description = Object.hasOwn(leads, name) ? leads[name] : undefined;
  if (description !== undefined) return description;
  if (pause) return "the run continues";
  if (name === revises) return "returns the work with your note";
  return name === findRefusingChoice(choices) ? "the run ends here" : "the run continues";
}
