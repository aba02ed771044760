import type { Evidence } from "../../../core/authoring/verbs.ts";
import { commitText, namesFault, oneLine, point, typedSubject } from "../../commit-text.ts";
import { checksLine } from "../../evidence-line.ts";
import { saidOnce } from "../../said-once.ts";
import type { Task } from "../planning/task-files.ts";
import { sectionOf } from "./findings.ts";

type Committed = {
  readonly request: string;
  /** The specification: its heading says what changes, its summary for whom, and why. */
  readonly feature: string;
  readonly tasks: readonly Pick<Task, "kind">[];
  /** What the engine saw on the tree that is committed. */
  readonly evidence: Pick<Evidence, "checks">;
  /** What verification left open. */
  readonly open: readonly string[];
  readonly folder: string;
};

/** What was done and why, what it has passed and what is known to be open: for somebody who reads the log in a year. */
export function commitMessage({ request, feature, tasks, evidence, open, folder }: Committed): string {
  const [asked = ""] = request.trim().split("\n");
  const summary = sectionOf(feature, "Summary") || sectionOf(feature, "Title and summary");
  const verified = open.length > 0 ? "verification left open what is below" : "verification passed";
  const left = open.length > 0 ? [`Left open by verification:\n${open.map(point).join("\n")}`] : [];
  const subject = typedSubject(kindsOf(tasks, asked), headingOf(feature) ?? asked);
  // With its label the request would look like something new.
  const more = saidOnce(`${subject} ${summary}`, [oneLine(request)]).map((text) => `Asked for: ${text}`);
  return commitText({
    subject,
    why: [summary, ...more],
    gates: [checksLine(evidence), verified, "review passed"],
    rest: [...left, `Documents: ${folder}/`],
  });
}

/** A request that says what goes wrong asks for a fix, where no task says what it is. */
const kindsOf = (tasks: Committed["tasks"], asked: string): Committed["tasks"] =>
  namesFault(asked) && tasks.every(({ kind }) => kind === undefined) ? [{ kind: "fix" }] : tasks;

/** The name of the document is no change. */
const NAMELESS = /^(?:(?:feature|spec(?:ification)?)(?:\.md)?)?$/i;

/** What the specification calls itself: the request may be no more than what goes wrong. */
function headingOf(feature: string): string | undefined {
  const [, heading = ""] = /^#\s+(.*)$/m.exec(feature) ?? [];
  const title = heading.replace(/^(?:feature|spec(?:ification)?)\s*[:—–-]\s*/i, "").trim();
  return NAMELESS.test(title) ? undefined : title;
}
