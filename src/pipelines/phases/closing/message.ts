import { point, shortened, wrapped } from "../../commit-text.ts";
import type { Plan } from "../planning/plan.ts";
import { kindOf } from "../planning/plan-rules.ts";

/** @rule P-80 (declaration) A commit's subject has at most fifty characters after its prefix. */
const SUBJECT_LENGTH = 50;
/** What could come into the subject from further behind is cut off anyway. */
const MOST_TITLE = 500;
export const PREFIXES = ["fix", "feat", "chore", "test", "refactor"] as const;
type Prefix = (typeof PREFIXES)[number];

/**
 * Prefix and subject; plan names and phase numbers stay out of the history.
 * @rule P-41 (policy) A commit follows the approved summary, under one of five prefixes, and mentions neither plan nor
 *   phase.
 */
export function commitMessage({ task_title, phases }: Pick<Plan, "task_title" | "phases">, task: string): string {
  const subject = shortened(subjectOf(task_title, task), SUBJECT_LENGTH);
  return `${prefixOf(task_title.slice(0, MOST_TITLE), phases)}: ${subject || "apply the approved changes"}`;
}

const subjectOf = (title: string, task: string): string =>
  plain(title.slice(0, MOST_TITLE).replace(/^(?:fix|feat|chore|test|refactor)\b(?:\([^)]*\))?!?:\s*/i, ""), task);

type Part = Pick<Plan["phases"][number], "title" | "objective">;

/** Why, and of what parts: what the subject has no room for. */
export function commitBody(
  { summary, task_title }: Pick<Plan, "summary" | "task_title">,
  task: string,
  parts: readonly Part[],
): string {
  const subject = subjectOf(task_title, task);
  const whole = subject.length > SUBJECT_LENGTH ? wrapped(sentence(subject)) : "";
  const why = wrapped(sentence(plain(summary, task)));
  const what = parts.map(({ objective, title }) => point(plain(objective || title, task))).join("\n");
  return [whole, why, what].filter(Boolean).join("\n\n");
}

const sentence = (text: string): string => (text === "" || /[.!?]$/.test(text) ? text : `${text}.`);

function prefixOf(title: string, phases: Plan["phases"]): Prefix {
  const [, named] = /^(fix|feat|chore|test|refactor)\b/i.exec(title) ?? [];
  const given = PREFIXES.find((prefix) => prefix === named?.toLowerCase());
  if (given) return given;
  if (/\b(?:fix\w*|bugs?|repair\w*)\b/i.test(title)) return "fix";
  if (/\b(?:refactor\w*|restructur\w*|rename\w*)\b/i.test(title)) return "refactor";
  const codes = phases.filter((phase) => kindOf(phase) === "code");
  if (codes.length === 0) return "chore";
  const paths = codes.flatMap((phase) => phase.files.map((file) => file.path));
  return paths.length > 0 && paths.every((path) => /(?:^|[./_-])(?:test|tests|spec)(?:[./_-]|$)/.test(path))
    ? "test"
    : "feat";
}

/** Without the plan's name and without numbers of phases and waves; what they hung on goes too. */
function plain(title: string, task: string): string {
  return title
    .replace(/\S*plans\/\S+/gi, " ")
    .replaceAll(new RegExp(`\\b${task}(?:-plan)?(?:\\.md)?\\b`, "gi"), " ")
    .replace(/\S+-plan(?:\.md)?\b/gi, " ")
    .replace(/\b(?:phases?|waves?)[\s#-]*\d+(?:(?:\s*(?:,|-|to|and)\s*)\d+)*/gi, " ")
    .replace(/\(\s*\)|\[\s*\]/g, " ")
    .replace(/\s+/g, " ")
    .replace(/^(?:[\s:,;–—-]|\b(?:of|for|from|per|as)\s*(?=[:,;–—-]|$))+/i, "")
    .replace(/(?:\s+(?:of|for|in|from|per|the|and|to|as))*[\s:,;.–—-]*$/i, "")
    .trim();
}
