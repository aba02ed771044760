import { briefOf, type Section } from "../../../core/authoring/brief.ts";
import { waves } from "../../../core/authoring/waves.ts";
import { OWN_CHECKS } from "../../evidence-line.ts";
import { recordIgnoredAnnouncements } from "../../ignored-announcements.ts";
import { pickNonEmpty } from "../../non-empty.ts";
import { formatPlanPiece } from "../../plan-brief.ts";
import { toYaml } from "../artifacts.ts";
import { SUB_WAVE } from "../building/wave.ts";
import type { LedgerContext } from "../context.ts";
import { formatMarkdown } from "../documents/markdown.ts";
import { planner } from "../roles.ts";
import { type ReviewerVerdict, summarizeReview } from "../rules.ts";
import { collectAnnouncements, getOverallRisk, orderWaves, type Task } from "./plan.ts";
import type { Setup } from "./setup.ts";

/**
 * @rule L-44 (policy) `revise` returns to the planner with the note, at most twice. `abort` ends the run with nothing
 *   committed and all work pinned.
 */
const REVISIONS = 2;

export type PlanInput = {
  readonly request: string;
  readonly design: unknown;
  readonly spec: unknown;
  readonly verdicts: readonly ReviewerVerdict[];
};

/**
 * Runs steps 4 and 4a: plan and approval.
 * @rule L-13 (declaration) The approval after planning offers approve, revise and abort; autonomous mode picks approve.
 *   A plan that changes later is shown again.
 */
export async function runPlanning(context: LedgerContext, setup: Setup, known: PlanInput): Promise<ApprovedPlan> {
  const { agent, ask, loop, fail, round: atRound } = context;
  let sentBack: { readonly plan: readonly Task[]; readonly note: string } | undefined;
  const { tasks, by } = await loop({ max: 1 + REVISIONS }, async ({ round }) => {
    atRound("plan", round);
    const drafted = await agent(planner, { ...createPlannerInput(context, setup, known), ...sentBack });
    await writePlan(context, setup.folder, drafted.tasks);
    const answer = await ask(
      createPlanQuestion({ folder: setup.folder, tasks: drafted.tasks, last: round > REVISIONS }),
    );
    if (answer.choice === "abort") return fail("aborted");
    const { note = "" } = answer;
    if (answer.choice === "approve" && note) context.remark({ about: "the plan", said: note });
    sentBack = { plan: drafted.tasks, note };
    return { tasks: drafted.tasks, by: answer.by, decision: answer.decision };
  });
  await writeTasks(context, { folder: setup.folder, tasks });
  await askForMissingChecks(context, setup, tasks);
  await declareChanges(context, tasks, by);
  return { tasks, approved: by !== "automatic" };
}

/** `approved` is true only for a person's approval. */
type ApprovedPlan = { readonly tasks: readonly Task[]; readonly approved: boolean };

/** A plan that no person has read declares no behaviour change; otherwise the planner would excuse the implementer. */
async function declareChanges(context: LedgerContext, tasks: readonly Task[], by: string): Promise<void> {
  if (by === "automatic")
    await recordIgnoredAnnouncements(context, collectAnnouncements(tasks), "no person has approved the plan");
  else await context.announce(collectAnnouncements(tasks));
}

type ReplannedTasks = { readonly folder: string; readonly before: readonly Task[]; readonly tasks: readonly Task[] };

/** Asks for approval again if a replan differs from the approved plan. */
export async function approveAgain(context: LedgerContext, { folder, before, tasks }: ReplannedTasks): Promise<void> {
  const isUnchanged = (task: Task): boolean => before.some((each) => toYaml(each) === toYaml(task));
  const changed = tasks.filter((task) => !isUnchanged(task));
  const dropped = before.filter(({ id }) => tasks.every((task) => task.id !== id)).map(({ id }) => id);
  if (changed.length + dropped.length === 0) return;
  const { choice, by, note } = await context.ask({
    title: "The plan has changed. Go on by the new one?",
    show: { changed, ...(dropped.length > 0 ? { dropped } : {}) },
    brief: briefOf([...formatTasks(changed), { title: "Dropped", lines: dropped }]),
    paths: [`${folder}/plan.md`],
    choices: ["approve", "abort"],
    auto: "approve",
    accepts: "approve",
  });
  if (choice === "abort") return context.fail("aborted: the changed plan was not approved");
  if (note) context.remark({ about: "the changed plan", said: note });
  await declareChanges(context, changed, by);
}

export const createPlannerInput = (
  { heard, toRead }: LedgerContext,
  { folder }: Setup,
  { design, spec, verdicts }: Omit<PlanInput, "request">,
) => ({
  design,
  spec,
  ...pickNonEmpty({ verdicts: verdicts.map(summarizeReview) }),
  ...toRead(folder, "research"),
  ...heard(),
});

type PlanDraft = { readonly folder: string; readonly tasks: readonly Task[]; readonly last: boolean };

/** The last question offers no revision. */
export function createPlanQuestion({ folder, tasks, last }: PlanDraft) {
  return {
    title: "Approve the plan?",
    show: tasks,
    brief: briefOf(formatTasks(tasks)),
    announces: collectAnnouncements(tasks),
    paths: ["plan.md", "design.md", "feature.md"].map((name) => `${folder}/${name}`),
    choices: last ? (["approve", "abort"] as const) : (["approve", "revise", "abort"] as const),
    ...(last ? {} : { revises: "revise" as const, words: ["revise"] as const }),
    leads: {
      approve: "start the work with this plan",
      revise: "plan again with your note",
      abort: "end the run",
    },
    auto: "approve",
    accepts: "approve",
  } as const;
}

/** Formats the tasks in build order. */
function formatTasks(tasks: readonly Task[]): readonly Section[] {
  const inWaves = waves(tasks).flatMap((wave, at) => wave.map((task) => ({ task, wave: at + 1 })));
  return inWaves.map(({ task, wave }) =>
    formatPlanPiece({
      id: task.id,
      title: task.title,
      marks: [`wave ${wave}`, task.risk, ...(task.size === "Large" ? ["large"] : [])],
      after: task.depends_on,
      files: task.files,
      criteria: task.acceptance_criteria,
      changes: task.behaviour_changes,
      kind: task.kind,
    }),
  );
}

/** Asks before the work, because a gate that needs a missing check could never pass. */
async function askForMissingChecks(
  { ask, fail }: LedgerContext,
  { commands, folder }: Setup,
  tasks: readonly Task[],
): Promise<void> {
  const short = findMissingChecks(tasks, commands);
  if (short.length === 0) return;
  const answer = await ask({
    title: "The plan needs checks that this project does not have. Go on without them?",
    show: { missing: short, configured: commands },
    paths: [`${folder}/plan.md`],
    choices: ["abort", "go on"],
    leads: { abort: "end the run", "go on": "start the work; the gates of these tasks cannot pass those checks" },
    auto: "never",
  });
  if (answer.choice === "abort") return fail("aborted: the plan needs checks that this project does not have");
}

/**
 * Lists required checks that nobody configured. The number of checks is always reachable, because the engine has three.
 */
export function findMissingChecks(
  tasks: readonly Pick<Task, "id" | "checks">[],
  commands: readonly string[],
): string[] {
  const known = new Set([...commands, ...OWN_CHECKS]);
  return tasks.flatMap(({ id, checks }) => checks.filter((name) => !known.has(name)).map((name) => `${id}: ${name}`));
}

export async function writePlan({ write, risk }: LedgerContext, folder: string, tasks: readonly Task[]): Promise<void> {
  const overall = getOverallRisk(tasks);
  const inWaves = orderWaves(tasks).map((wave) => ({ ...wave, max_concurrent: SUB_WAVE }));
  const output = { overall_risk_summary: overall, total_tasks: tasks.length, waves: inWaves, tasks };
  await write(`${folder}/plan-output.yaml`, toYaml(output));
  await write(`${folder}/plan.md`, formatMarkdown("Plan", output));
  risk(overall);
}

/**
 * Writes a file for each task of the accepted plan. A plan that was sent back leaves no files, because they would be
 * committed. A task that was worked on and dropped keeps its file with a note.
 */
export async function writeTasks(
  { write }: LedgerContext,
  { folder, before = [], tasks }: { folder: string; before?: readonly Task[]; tasks: readonly Task[] },
): Promise<void> {
  const gone = before.filter(({ id }) => tasks.every((task) => task.id !== id));
  for (const task of tasks) await write(`${folder}/tasks/${task.id}.yaml`, toYaml(task));
  for (const task of gone) await write(`${folder}/tasks/${task.id}.yaml`, toYaml({ ...task, replaced: REPLACED }));
}
const REPLACED = "it failed verification, and a replan replaced it with other tasks";
