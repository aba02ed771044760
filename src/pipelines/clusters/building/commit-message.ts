import type { Evidence } from "../../../core/authoring/verbs.ts";
import {
  collapseWhitespace,
  createTypedSubject,
  describesFault,
  formatCommitText,
  formatListItem,
} from "../../commit-text.ts";
import { formatCommandEvidence } from "../../evidence-line.ts";
import { removeRepeatedTexts } from "../../repeated-texts.ts";
import type { Task } from "../planning/task-files.ts";
import { extractSection } from "./findings.ts";

type CommitFacts = {
  readonly request: string;
  /** The specification. Its heading says what changes, its summary why and for whom. */
  readonly feature: string;
  readonly tasks: readonly Pick<Task, "kind">[];
  /** Check results of the tree that is committed. */
  readonly evidence: Pick<Evidence, "checks">;
  /** Findings that verification left open. */
  readonly open: readonly string[];
  readonly folder: string;
};

/** Formats the commit message: the change, the reason, the gates passed and the known issues. */
export function formatClusterCommit({ request, feature, tasks, evidence, open, folder }: CommitFacts): string {
  const [asked = ""] = request.trim().split("\n");
  const summary = extractSection(feature, "Summary") || extractSection(feature, "Title and summary");
  const verified = open.length > 0 ? "verification left open what is below" : "verification passed";
  const left = open.length > 0 ? [`Left open by verification:\n${open.map(formatListItem).join("\n")}`] : [];
  const subject = createTypedSubject(inferKinds(tasks, asked), parseHeading(feature) ?? asked);
  // Labelled, because otherwise the request would read as another change.
  const more = removeRepeatedTexts(`${subject} ${summary}`, [collapseWhitespace(request)]).map(
    (text) => `Asked for: ${text}`,
  );
  return formatCommitText({
    subject,
    why: [summary, ...more],
    gates: [formatCommandEvidence(evidence), verified, "review passed"],
    rest: [...left, `Documents: ${folder}/`],
  });
}

/** Treats a request that describes a fault as a fix if no task states its kind. */
const inferKinds = (tasks: CommitFacts["tasks"], asked: string): CommitFacts["tasks"] =>
  describesFault(asked) && tasks.every(({ kind }) => kind === undefined) ? [{ kind: "fix" }] : tasks;

/** Headings that only name the document. */
const NAMELESS = /^(?:(?:feature|spec(?:ification)?)(?:\.md)?)?$/i;

/** Returns the specification's heading, because the request may only describe a fault. */
function parseHeading(feature: string): string | undefined {
  const [, heading = ""] = /^#\s+(.*)$/m.exec(feature) ?? [];
  const title = heading.replace(/^(?:feature|spec(?:ification)?)\s*[:—–-]\s*/i, "").trim();
  return NAMELESS.test(title) ? undefined : title;
}
