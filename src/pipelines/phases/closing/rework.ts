import type { Finding } from "../../../core/authoring/finding.ts";
import type { Verbs } from "../../../core/authoring/verbs.ts";
import { collapseWhitespace } from "../../commit-text.ts";
import { findNamedFiles } from "../planning/concerned-phases.ts";
import type { Phase, Plan } from "../planning/plan.ts";
import { getPhaseKind, listWrites } from "../planning/plan-rules.ts";
import { addRework, type Progress } from "../progress.ts";
import { findFileOwner, fixPhase } from "../review/final-review.ts";
import { findExecutor } from "../roles.ts";
import type { PhasesContext } from "../run-context.ts";

/** A person's rejection with a note, as the finding with which the work goes back. */
export const createObjection = ({ note = "", by }: { readonly note?: string; readonly by: string }): Finding => ({
  severity: "major",
  message: note,
  by,
});

type ReworkRequest = {
  readonly progress: Progress;
  readonly findings: readonly Finding[];
  /** The message that the commit would have had. */
  readonly message: string;
};

/**
 * Sends complete work back once, to one executor. Returns the reason if nothing came of it. A person's comment is about
 * the whole work, so all approved files are open to the executor.
 */
export async function sendBackWork(
  verbs: Verbs<unknown>,
  context: PhasesContext,
  { progress, findings, message }: ReworkRequest,
): Promise<string | undefined> {
  const owner = selectReworker(progress.plan, findings);
  if (!owner) return "no phase of the plan writes files";
  const { files } = addAllFiles(progress.plan, owner);
  const approved = progress.approved.get(owner.phase_id) ?? owner;
  const open: Progress = { ...progress, approved: new Map([[owner.phase_id, { ...approved, files }]]) };
  const sent = { progress: open, phase: { ...owner, files }, revision: findings, rework: { message } };
  const done = await fixPhase(verbs, context, sent);
  if (!done) return "the work was not dispatched: PreFlect refused it";
  if (!done.ok) return done.failure.message;
  const { status, summary, after, commit_subject: subject = "" } = done.value;
  if (status !== "COMPLETE") return `${owner.executor_agent} answered ${status}: ${summary}`;
  const isRenamed = collapseWhitespace(subject) !== "";
  if (isRenamed) progress.subject = collapseWhitespace(subject);
  if (after.tree === progress.tree.tree && !isRenamed) return `${owner.executor_agent} changed nothing: ${summary}`;
  addRework(progress, owner.phase_id, done.value);
  return undefined;
}

/**
 * Selects the executor: the last phase that owns a file named in the findings, else the last phase that writes code.
 */
export function selectReworker(plan: Pick<Plan, "phases">, findings: readonly Finding[]): Phase | undefined {
  const writers = plan.phases.filter((phase) => findExecutor(phase.executor_agent) && listWrites(phase).length > 0);
  const text = findings.flatMap(({ message, files = [] }) => [message, ...files]).join("\n");
  const named = findNamedFiles(text, writers.flatMap(listWrites));
  const owners = named.flatMap((path) => findFileOwner({ phases: writers }, path) ?? []);
  const code = writers.filter((phase) => getPhaseKind(phase) === "code");
  const among = [owners, code, writers].find((phases) => phases.length > 0) ?? [];
  return among.toSorted((a, b) => b.phase_id - a.phase_id)[0];
}

/** Adds the files of all phases to one phase; files that the plan creates exist by now. */
function addAllFiles({ phases }: Plan, { files }: Phase): Pick<Phase, "files"> {
  const paths = new Set(files.map(({ path }) => path));
  const others = phases.flatMap((phase) => phase.files).filter(({ path }) => !paths.has(path) && paths.add(path));
  return { files: [...files, ...others] };
}
