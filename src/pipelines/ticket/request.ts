import type { Mandate, Prompt, WorkType } from "./contracts.ts";

const TICKET = /\b[A-Z]+-\d+\b/g;
const VAGUE = /\b(somewhere|something|maybe|probably)\b/i;
const WORDS: Readonly<Record<string, WorkType>> = {
  fix: "fix",
  bug: "fix",
  defect: "fix",
  feature: "feature",
  add: "feature",
  implement: "feature",
  create: "feature",
  refactor: "chore",
  cleanup: "chore",
  chore: "chore",
  update: "chore",
  improve: "chore",
};
const MANDATES = /\b(?:MUST use|use|with|using|leverage|integrate with)\s+[A-Za-z](?:[\w./-]*\w)?/g;
const PLANNING = /\b(analyze|inspect|investigate|research|diagnose|see the page)\b/i;
const SLUG_WORDS = 3;

export function ticketsIn(request: string): readonly string[] {
  return [...new Set(request.match(TICKET) ?? [])];
}

/** The whole word that comes first decides: "Add a bug tracker" is a feature. */
export function typeOf(request: string): WorkType | undefined {
  const words = request.toLowerCase().match(/[a-z]+/g) ?? [];
  return words.map((word) => WORDS[word]).find((type) => type !== undefined);
}

/** A prompt without asking anybody; undefined when the request is not clear enough for that. */
export function readPrompt(request: string, jira: string): Prompt | undefined {
  const type = typeOf(request);
  const success_criteria = criteriaIn(request);
  if (!type || VAGUE.test(request) || success_criteria.length === 0) return undefined;
  return {
    jira,
    type,
    slug: slugOf(request),
    tool_mandates: mandatesIn(request),
    original_request: request,
    refined_prompt: withoutTickets(request),
    success_criteria,
  };
}

export function mandatesIn(request: string): Mandate[] {
  return sentences(request).flatMap((sentence) => {
    const assigned_agent = PLANNING.test(sentence) ? ("planner" as const) : ("developer" as const);
    return (sentence.match(MANDATES) ?? []).map((text) => ({ text, assigned_agent }));
  });
}

export function slugOf(request: string): string {
  const words =
    withoutTickets(request)
      .toLowerCase()
      .match(/[a-z0-9]+/g) ?? [];
  return words.slice(0, SLUG_WORDS).join("_") || "work";
}

/** What the request asks for, sentence by sentence, is what must hold afterwards. */
function criteriaIn(request: string): string[] {
  return sentences(request)
    .map(withoutTickets)
    .filter((sentence) => sentence.split(/\s+/).length >= 3);
}

const sentences = (text: string): string[] =>
  text
    .split(/(?<=[.!?])\s+|\n+/)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== "");

const withoutTickets = (text: string): string =>
  text
    .replace(TICKET, "")
    .replace(/^[\s:,-]+/, "")
    .replace(/\s+/g, " ")
    .trim();
