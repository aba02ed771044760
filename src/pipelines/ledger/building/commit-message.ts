import type { Finding } from "../../../core/authoring/finding.ts";
import { collapseWhitespace, createTypedSubject, formatListItem, shortenSubject, wrapText } from "../../commit-text.ts";
import { getFirstText } from "../documents/lenient-schema.ts";
import type { Task } from "../planning/plan.ts";
import type { Confidence } from "../rules.ts";

const WIDTH = 72;
const MOST_OF_A_REQUEST = 1_000;

type CommitFacts = {
  readonly request: string;
  readonly spec: object;
  readonly tasks: readonly Pick<Task, "id" | "title" | "kind">[];
  readonly confidence: Confidence;
  readonly issues: readonly Finding[];
  readonly folder: string;
};

/** Formats the commit message: the change, the reason, the tasks and the known issues. */
export function formatLedgerCommit({ request, spec, tasks, confidence, issues, folder }: CommitFacts): string {
  const title = getFirstText(spec, "feature_name", "title") ?? request;
  const known = issues.map(({ severity, message }) => formatListItem(`${severity}: ${message}`));
  const subject = createTypedSubject(tasks, title);
  const first = shortenSubject(subject);
  return [
    first,
    ...(first === subject ? [] : [wrapText(collapseWhitespace(title))]),
    ...(isSubject(title, request) ? [] : [wrapText(collapseWhitespace(request).slice(0, MOST_OF_A_REQUEST))]),
    tasks.map(({ id, title }) => formatListItem(title === id ? id : `${id}: ${title}`)).join("\n"),
    ...(known.length > 0 ? [`Known issues:\n${known.join("\n")}`] : []),
    wrapText(`Confidence ${confidence}. Requirements, reviews and evidence: ${folder}/`),
    "Co-authored-by: pipeline",
  ].join("\n\n");
}

/** Returns whether a short request is already the subject. */
const isSubject = (title: string, request: string): boolean =>
  collapseWhitespace(title).toLowerCase() === collapseWhitespace(request).toLowerCase() &&
  request.length < WIDTH - "refactor: ".length;
