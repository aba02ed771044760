import type { SourcedAnnouncement } from "../../../core/authoring/announcement.ts";
import { briefOf, type Section } from "../../../core/authoring/brief.ts";
import type { Finding } from "../../../core/authoring/finding.ts";
import type { Verbs } from "../../../core/authoring/verbs.ts";
import { recordIgnoredAnnouncements } from "../../ignored-announcements.ts";
import { formatPlanPiece } from "../../plan-brief.ts";
import { DOCUMENTS } from "../artifacts.ts";
import type { FeatureContext } from "../context.ts";
import { planner } from "../roles.ts";
import { PLAN } from "../rules.ts";
import { runUntilApproved } from "./approval.ts";
import { type ParsedPlan, readPlan, type Task, type TaskText, type Waves } from "./task-files.ts";

/** A planner request. The mode says whether it starts from the design or from findings. */
type PlanRequest = {
  readonly mode: "plan" | "replan";
  readonly reads: readonly string[];
  readonly more: Readonly<Record<string, unknown>>;
  /** Tasks of earlier plans; new tasks may depend on them. */
  readonly known: readonly Task[];
};

/** Runs step 4: plans the waves and asks for approval. Open findings of the critics are constraints. */
export async function runPlanning(
  verbs: Verbs<unknown>,
  context: FeatureContext,
  constraints: readonly Finding[],
): Promise<ParsedPlan & { readonly approved: boolean }> {
  await context.begin("4 Planning");
  let isApproved = false;
  const read = await runUntilApproved<ParsedPlan>(verbs, context, {
    // A plan that no person has read declares no behaviour change; otherwise the planner would excuse the implementer.
    agreed: async ({ tasks }) => {
      isApproved = true;
      await verbs.announce(collectAnnouncements(tasks));
    },
    unread: ({ tasks }) =>
      recordIgnoredAnnouncements(verbs, collectAnnouncements(tasks), "no person has approved the plan"),
    title: "The plan is ready. Go on to the implementation?",
    step: "4",
    work: async (wish) => {
      const more = { ...(constraints.length > 0 && { constraints }), ...(wish && { note: wish }) };
      const reads = constraints.length > 0 ? [DOCUMENTS.criticisms] : [];
      const planned = await requestPlan(verbs, context, { mode: "plan", reads, more, known: [] });
      await context.prune();
      const kept = constraints.map(({ message }) => message);
      const summary = {
        said: planned.said,
        waves: summarizeWaves(planned.waves),
        ...(kept.length > 0 && { objections: kept }),
      };
      const tasks = planned.tasks.map(({ path }) => path.slice(context.at("").length));
      const brief = briefOf([
        { title: "Planner's summary", lines: [planned.said] },
        ...planned.waves.flatMap(formatWave),
        { title: "Open findings", lines: kept },
      ]);
      const announces = collectAnnouncements(planned.tasks);
      return { summary, brief, announces, documents: [DOCUMENTS.plan, ...tasks], result: planned };
    },
  });
  return { ...read, approved: isApproved };
}

/** Behaviour changes that the planner declared before the work. Implementers cannot write them. */
const collectAnnouncements = (tasks: readonly Task[]): readonly SourcedAnnouncement[] =>
  tasks.flatMap(({ id, behaviour_changes = [] }) =>
    behaviour_changes.map((each) => ({ ...each, from: `task ${id} of the plan` })),
  );

/** Runs the planner in replan mode. Its fix tasks are new or changed task files. */
export async function runReplan(
  verbs: Verbs<unknown>,
  context: FeatureContext,
  open: { report: string; failing: readonly string[]; findings: readonly Finding[]; known: readonly Task[] },
): Promise<ParsedPlan> {
  await context.begin("4 Planning");
  const { failing, findings, known } = open;
  const planned = await requestPlan(verbs, context, {
    mode: "replan",
    reads: [open.report],
    more: { failing, findings },
    known,
  });
  await context.prune();
  await recordIgnoredAnnouncements(
    verbs,
    collectAnnouncements(planned.tasks),
    "a replan declares no behaviour changes",
  );
  return planned;
}

type PlanReply = ParsedPlan & { readonly said: string; readonly usable: boolean };

/** Runs the planner, and once more with the problems if its plan cannot be executed. */
async function requestPlan(verbs: Verbs<unknown>, context: FeatureContext, asked: PlanRequest): Promise<PlanReply> {
  const first = await dispatchPlanner(verbs, context, asked);
  if (first.usable) return first;
  const more = { ...asked.more, problems: first.problems };
  const second = await verbs.within("again", () => dispatchPlanner(verbs, context, { ...asked, more }), {
    repeats: true,
  });
  if (second.usable) return second;
  return context.halt(`the plan cannot be executed: ${second.problems.join("; ")}`);
}

async function dispatchPlanner(verbs: Verbs<unknown>, context: FeatureContext, asked: PlanRequest): Promise<PlanReply> {
  const { see, gate } = verbs;
  const from = context.tree;
  const { message: said, text } = await context.must({
    role: planner,
    step: "4",
    reads: [DOCUMENTS.analysis, DOCUMENTS.feature, DOCUMENTS.design, ...asked.reads],
    outputs: [DOCUMENTS.plan, DOCUMENTS.tasks],
    more: { mode: asked.mode, ...asked.more },
  });
  const all = await see("files", { under: context.at("tasks"), in: context.tree });
  const touched = await see("changes", { from, to: context.tree });
  const fresh = new Set(touched.map(({ path }) => path));
  const files: TaskText[] = [];
  for (const path of asked.mode === "plan" ? all : all.filter((each) => fresh.has(each))) {
    files.push({ path, text: (await see("file", { path, in: context.tree }))?.text ?? "" });
  }
  const read = readPlan({ plan: text, files, known: asked.known.map(({ id }) => id) });
  const none = asked.mode === "plan" && files.length === 0;
  const missing = none ? [`${context.at("tasks")}: expected at least one task file, found none`] : [];
  const problems = [...read.problems, ...missing];
  for (const warning of read.warnings) await context.warn(warning);
  const { passed: usable } = await gate("plan", [PLAN], { problems });
  return { ...read, problems, said, usable };
}

const formatWave = (wave: Waves[number], at: number): readonly Section[] =>
  wave.map(({ id, agent, files, depends_on: after, behaviour_changes: changes, kind }) =>
    formatPlanPiece({ id, marks: [`wave ${at + 1}`, agent], after, files, changes, kind }),
  );

const summarizeWaves = (waves: Waves): unknown =>
  waves.map((wave) =>
    wave.map(({ id, agent, files, depends_on, kind, behaviour_changes }) => ({
      id,
      agent,
      files,
      depends_on,
      ...(kind && { kind }),
      ...(behaviour_changes && { behaviour_changes }),
    })),
  );
