import { oneLine, point, shortened, typedSubject, wrapped } from "../../commit-text.ts";
import type { Task } from "../planning/task-files.ts";
import { sectionOf } from "./findings.ts";

const MOST_OF_A_TEXT = 1_000;

type Committed = {
  readonly request: string;
  /** The specification: its summary says what changes for whom, and why. */
  readonly feature: string;
  readonly tasks: readonly Pick<Task, "kind">[];
  /** What verification left open. */
  readonly open: readonly string[];
  readonly folder: string;
};

/** What was done and why, and what is known to be open: for somebody who reads the log in a year. */
export function commitMessage({ request, feature, tasks, open, folder }: Committed): string {
  const [title = ""] = request.trim().split("\n");
  const summary = sectionOf(feature, "Summary") || sectionOf(feature, "Title and summary");
  const subject = typedSubject(tasks, title);
  const first = shortened(subject);
  const whole = first === subject && oneLine(request) === oneLine(title) && summary !== "" ? "" : request;
  return [
    first,
    ...[whole, summary]
      .filter((text) => text.trim() !== "")
      .map((text) => wrapped(oneLine(text).slice(0, MOST_OF_A_TEXT))),
    ...(open.length > 0 ? [`Left open by verification:\n${open.map(point).join("\n")}`] : []),
    wrapped(`Specification, design, plan and reviews: ${folder}/`),
  ].join("\n\n");
}
