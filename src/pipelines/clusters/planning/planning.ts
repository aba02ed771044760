import type { Announcement } from "../../core/announcement.ts";
import type { Finding } from "../../core/finding.ts";
import type { Verbs } from "../../core/verbs.ts";
import { noteIgnored } from "../ignored-announcements.ts";
import { approved } from "./approval.ts";
import { DOCUMENTS } from "./artifacts.ts";
import type { Feature } from "./feature.ts";
import { planner } from "./roles.ts";
import { PLAN } from "./rules.ts";
import { type PlanRead, readPlan, type Task, type TaskText, type Waves } from "./task-files.ts";

/** What the planner is asked for; the mode says whether it starts from the design or from what went wrong. */
type Asked = {
  readonly mode: "plan" | "replan";
  readonly reads: readonly string[];
  readonly more: Readonly<Record<string, unknown>>;
  /** Tasks of earlier plans: done or not, they may be depended on. */
  readonly known: readonly Task[];
};

/** Step 4: a plan of waves, and a person's yes. Objections that the critics kept are its constraints. */
export async function plan(
  verbs: Verbs<unknown>,
  feature: Feature,
  constraints: readonly Finding[],
): Promise<PlanRead> {
  await feature.begin("4 Planning");
  return approved(verbs, feature, {
    // A plan that nobody has read announces nothing: the planner would be excusing the implementer.
    agreed: ({ tasks }) => verbs.announce(announcedBy(tasks)),
    unread: ({ tasks }) => noteIgnored(verbs, announcedBy(tasks), "no person has approved the plan"),
    title: "The plan is ready. Go on to the implementation?",
    step: "4",
    work: async (wish) => {
      const more = { constraints, ...(wish && { note: wish }) };
      const reads = constraints.length > 0 ? [DOCUMENTS.criticisms] : [];
      const planned = await ask(verbs, feature, { mode: "plan", reads, more, known: [] });
      await feature.prune();
      return { summary: { said: planned.said, waves: shown(planned.waves) }, result: planned };
    },
  });
}

/** Said before the work by whoever plans it: implementers cannot write into the folder of the plan. */
const announcedBy = (tasks: readonly Task[]): readonly Announcement[] =>
  tasks.flatMap(({ behaviour_changes = [] }) => behaviour_changes);

/** The planner turns findings into fix tasks: files that are new, or were changed. */
export async function replan(
  verbs: Verbs<unknown>,
  feature: Feature,
  open: { report: string; failing: readonly string[]; findings: readonly Finding[]; known: readonly Task[] },
): Promise<PlanRead> {
  await feature.begin("4 Planning");
  const { failing, findings, known } = open;
  const planned = await ask(verbs, feature, {
    mode: "replan",
    reads: [open.report],
    more: { failing, findings },
    known,
  });
  await feature.prune();
  await noteIgnored(verbs, announcedBy(planned.tasks), "a plan that is made again announces nothing new");
  return planned;
}

type Planned = PlanRead & { readonly said: string; readonly usable: boolean };

/** A plan that cannot be carried out goes back once, with what is wrong with it. */
async function ask(verbs: Verbs<unknown>, feature: Feature, asked: Asked): Promise<Planned> {
  const first = await once(verbs, feature, asked);
  if (first.usable) return first;
  const more = { ...asked.more, problems: first.problems };
  const second = await verbs.within("again", () => once(verbs, feature, { ...asked, more }));
  if (second.usable) return second;
  return feature.halt(`the plan cannot be carried out: ${second.problems.join("; ")}`);
}

async function once(verbs: Verbs<unknown>, feature: Feature, asked: Asked): Promise<Planned> {
  const { see, gate } = verbs;
  const from = feature.tree;
  const { message: said, text } = await feature.must({
    role: planner,
    step: "4",
    reads: [DOCUMENTS.analysis, DOCUMENTS.feature, DOCUMENTS.design, ...asked.reads],
    outputs: [DOCUMENTS.plan, DOCUMENTS.tasks],
    more: { mode: asked.mode, ...asked.more },
  });
  const all = await see("files", { under: feature.at("tasks"), in: feature.tree });
  const touched = await see("changes", { from, to: feature.tree });
  const fresh = new Set(touched.map(({ path }) => path));
  const files: TaskText[] = [];
  for (const path of asked.mode === "plan" ? all : all.filter((each) => fresh.has(each))) {
    files.push({ path, text: (await see("file", { path, in: feature.tree }))?.text ?? "" });
  }
  const read = readPlan({ plan: text, files, known: asked.known.map(({ id }) => id) });
  const none = asked.mode === "plan" && files.length === 0;
  const missing = none ? [`${feature.at("tasks")}: expected at least one task file, found none`] : [];
  const problems = [...read.problems, ...missing];
  for (const warning of read.warnings) await feature.warn(warning);
  const { passed: usable } = await gate("plan", [PLAN], { problems });
  return { ...read, problems, said, usable };
}

const shown = (waves: Waves): unknown =>
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
