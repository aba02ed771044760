import type { Plan } from "./plan.ts";
import { kindOf } from "./plan-rules.ts";

const SUBJECT_LENGTH = 50;
/** What could come into the subject from further behind is cut off anyway. */
const MOST_TITLE = 500;
export const PREFIXES = ["fix", "feat", "chore", "test", "refactor"] as const;
type Prefix = (typeof PREFIXES)[number];

/** Prefix and subject; plan names and phase numbers stay out of the history. */
export function commitMessage({ task_title, phases }: Pick<Plan, "task_title" | "phases">, task: string): string {
  const title = task_title.slice(0, MOST_TITLE);
  const subject = cut(plain(title.replace(/^(?:fix|feat|chore|test|refactor)\b(?:\([^)]*\))?!?:\s*/i, ""), task));
  return `${prefixOf(title, phases)}: ${subject || "apply the approved changes"}`;
}

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

function cut(subject: string): string {
  if (subject.length <= SUBJECT_LENGTH) return subject;
  const head = subject.slice(0, SUBJECT_LENGTH + 1);
  const space = head.lastIndexOf(" ");
  return (space > 0 ? head.slice(0, space) : head.slice(0, SUBJECT_LENGTH)).trim();
}
