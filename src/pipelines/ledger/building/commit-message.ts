import type { Finding } from "../../../core/authoring/finding.ts";
import { oneLine, point, shortened, typedSubject, wrapped } from "../../commit-text.ts";
import { firstText } from "../documents/lenient-schema.ts";
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
export function commitMessage({ request, spec, tasks, confidence, issues, folder }: CommitFacts): string {
  const title = firstText(spec, "feature_name", "title") ?? request;
  const known = issues.map(({ severity, message }) => point(`${severity}: ${message}`));
  const subject = typedSubject(tasks, title);
  const first = shortened(subject);
  return [
    first,
    ...(first === subject ? [] : [wrapped(oneLine(title))]),
    ...(isSubject(title, request) ? [] : [wrapped(oneLine(request).slice(0, MOST_OF_A_REQUEST))]),
    tasks.map(({ id, title }) => point(title === id ? id : `${id}: ${title}`)).join("\n"),
    ...(known.length > 0 ? [`Known issues:\n${known.join("\n")}`] : []),
    wrapped(`Confidence ${confidence}. Requirements, reviews and evidence: ${folder}/`),
    "Co-authored-by: pipeline",
  ].join("\n\n");
}

/** Returns whether a short request is already the subject. */
const isSubject = (title: string, request: string): boolean =>
  oneLine(title).toLowerCase() === oneLine(request).toLowerCase() && request.length < WIDTH - "refactor: ".length;
