import { collapseWhitespace, describesFault, formatCommitText, shortenSubject } from "../../commit-text.ts";
import type { WorkKind } from "../../work-kind.ts";
import type { Plan } from "../planning/plan.ts";
import { getPhaseKind } from "../planning/plan-rules.ts";

/** @rule P-80 (declaration) The commit subject has at most 50 characters after the prefix. */
const SUBJECT_LENGTH = 50;
/** Longer texts are cut before the patterns run; the rest would be cut anyway. */
const MOST_TITLE = 500;
const MOST_TEXT = 2_000;
export const PREFIXES = ["fix", "feat", "chore", "test", "refactor"] as const;
type Prefix = (typeof PREFIXES)[number];

type TitledPlan = Pick<Plan, "task_title" | "phases" | "kind">;
type ChangedPart = Pick<Plan["phases"][number], "title" | "objective">;
type CommitInput = {
  readonly plan: TitledPlan & Pick<Plan, "summary">;
  /** The subject that a person asked for, instead of the plan's title. */
  readonly subject?: string | undefined;
  readonly task: string;
  /** Phases that changed files. */
  readonly parts: readonly ChangedPart[];
  readonly gates: readonly string[];
};

/**
 * States what changed, why, in which parts and which gates it passed. Plan names and phase numbers stay out of the
 * history.
 * @rule P-41 (policy) The engine commits only after the completion summary was approved; the message has one of five
 *   prefixes and names neither plan nor phase.
 */
export function formatCommitMessage({ plan, subject = plan.task_title, task, parts, gates }: CommitInput): string {
  const prefix = `${choosePrefix({ ...plan, task_title: subject })}: `;
  return formatCommitText({
    subject: `${prefix}${cleanSubject(subject, task)}`,
    most: prefix.length + SUBJECT_LENGTH,
    why: [removePlanNames(plan.summary, task)],
    // A single part would repeat the whole.
    parts: parts.length > 1 ? parts.map(({ objective, title }) => removePlanNames(objective || title, task)) : [],
    gates: gates.map((gate) => removePlanNames(gate, task)),
  });
}

/** The subject line alone, as proposed in each phase's report. */
export function formatCommitSubject(plan: TitledPlan, task: string): string {
  return `${choosePrefix(plan)}: ${shortenSubject(cleanSubject(plan.task_title, task), SUBJECT_LENGTH)}`;
}

const TYPE_PREFIX = /^(fix|feat|chore|test|refactor|docs|style|build|ci|perf|revert)\b(?:\([^)]*\))?!?:\s*/i;

const cleanSubject = (title: string, task: string): string =>
  removePlanNames(collapseWhitespace(title.slice(0, MOST_TITLE)).replace(TYPE_PREFIX, ""), task) ||
  "apply the approved changes";

const BY_KIND: Readonly<Partial<Record<WorkKind, Prefix>>> = {
  fix: "fix",
  feature: "feat",
  refactor: "refactor",
  docs: "chore",
};

/** Takes the prefix from the plan's kind; without one, from its title and files. */
function choosePrefix({ kind, task_title, phases }: TitledPlan): Prefix {
  const title = task_title.slice(0, MOST_TITLE);
  const declared = kind && BY_KIND[kind];
  if (declared) return declared;
  const named = /^(\w+)/.exec(title)?.[1]?.toLowerCase();
  const titlePrefix = PREFIXES.find((prefix) => prefix === named);
  if (titlePrefix) return titlePrefix;
  if (/\b(?:fix\w*|repair\w*)\b/i.test(title) || describesFault(title)) return "fix";
  if (/\b(?:refactor\w*|restructur\w*|rename\w*)\b/i.test(title)) return "refactor";
  const codes = phases.filter((phase) => getPhaseKind(phase) === "code");
  if (codes.length === 0) return "chore";
  const paths = codes.flatMap((phase) => phase.files.map((file) => file.path));
  return paths.length > 0 && paths.every((path) => /(?:^|[./_-])(?:test|tests|spec)(?:[./_-]|$)/.test(path))
    ? "test"
    : "feat";
}

/** Removes the plan's name, the numbers of phases and waves, and the words left hanging. */
function removePlanNames(text: string, task: string): string {
  return text
    .slice(0, MOST_TEXT)
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
