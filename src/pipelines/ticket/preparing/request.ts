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
/** "with a table" names no tool. */
const NO_TOOL =
  "(?!(?:an?|the|its?|this|that|these|those|their|our|your|my|his|her|no|not|all|any|some|each|every|one|two|three|" +
  "more|less|fewer|new|only|and|or|of|to|in|for)\\b)";
const TOOL = "(?:`[^`\\n]+`|[\\w@](?:[\\w./@+-]*\\w)?(?:\\s+[A-Z][\\w./-]*\\w)*)";
const MANDATES = new RegExp(
  `\\b(?:MUST\\s+use|[Uu]se|[Ww]ith|[Uu]sing|[Ll]everage|[Ii]ntegrate\\s+with)\\s+${NO_TOOL}${TOOL}`,
  "g",
);
const PLANNING = /\b(analyze|inspect|investigate|research|diagnose|see the page)\b/i;
const BUILDING = /\b(implement|build|fix|create|deploy|add|write|refactor|update|improve)\b/i;
const CLAUSE = /[,;]|\b(?:and|then|but)\b/;
const SLUG_WORDS = 3;
const CRITERION_WORDS = 3;

export function ticketsIn(request: string): readonly string[] {
  return [...new Set(request.match(TICKET) ?? [])];
}

/** The whole word that comes first decides: "Add a bug tracker" is a feature. */
export function typeOf(request: string): WorkType | undefined {
  const words = request.toLowerCase().match(/[a-z]+/g) ?? [];
  return words.map((word) => (Object.hasOwn(WORDS, word) ? WORDS[word] : undefined)).find((type) => type);
}

/** A prompt without asking anybody; undefined when the request is not clear enough for that. */
export function readPrompt(request: string, jira: string): Omit<Prompt, "created_at"> | undefined {
  const type = typeOf(request);
  const slug = slugOf(request);
  const success_criteria = criteriaIn(request);
  if (!type || !slug || VAGUE.test(request) || success_criteria.length === 0) return undefined;
  return {
    jira,
    type,
    slug,
    tool_mandates: mandatesIn(request),
    original_request: request,
    refined_prompt: withoutTickets(request),
    success_criteria,
  };
}

/** Word by word as they stand in the request; who finds out is the planner, who builds the developer. */
export function mandatesIn(request: string): Mandate[] {
  return sentences(request).flatMap((sentence) =>
    sentence.split(CLAUSE).flatMap((clause) => {
      // "Inspect it and fix it using X": the nearer verb counts, and without one the sentence's.
      const said = PLANNING.test(clause) || BUILDING.test(clause) ? clause : sentence;
      const assigned_agent = PLANNING.test(said) ? ("planner" as const) : ("developer" as const);
      return (clause.match(MANDATES) ?? []).map((text) => ({ text, assigned_agent }));
    }),
  );
}

/** Three words, or nothing where the request has not as many. */
export function slugOf(request: string): string | undefined {
  const words =
    withoutTickets(request)
      .toLowerCase()
      .match(/[a-z0-9]+/g) ?? [];
  return words.length < SLUG_WORDS ? undefined : words.slice(0, SLUG_WORDS).join("_");
}

/** What the request asks for, sentence by sentence, is what must hold afterwards. */
function criteriaIn(request: string): string[] {
  return sentences(request)
    .map(withoutTickets)
    .filter((sentence) => sentence.split(/\s+/).length >= CRITERION_WORDS);
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
