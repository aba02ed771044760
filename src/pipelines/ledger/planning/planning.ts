import { waves } from "../../core/waves.ts";
import { OWN_CHECKS } from "../evidence-line.ts";
import { noteIgnored } from "../ignored-announcements.ts";
import { yamlOf } from "./artifacts.ts";
import type { Desk } from "./desk.ts";
import { markdownOf } from "./markdown.ts";
import { announcedBy, type Task } from "./plan.ts";
import { planner } from "./roles.ts";
import type { Setup } from "./setup.ts";
import { RISKS, type Risk } from "./words.ts";

const REVISIONS = 2;
export const SUB_WAVE = 4;

export type Known = { readonly design: unknown; readonly spec: unknown; readonly verdicts: unknown };

/** Steps 4 and 4a: a plan that a person may send back twice. */
export async function plan(desk: Desk, setup: Setup, known: Known): Promise<readonly Task[]> {
  const { agent, announce, loop, ask, fail, round: atRound } = desk;
  let wish = "";
  const { tasks, by } = await loop({ max: 1 + REVISIONS }, async ({ round }) => {
    atRound("plan", round);
    const drafted = await agent(planner, { ...known, ...(wish && { note: wish }) });
    await writePlan(desk, setup.folder, drafted.tasks);
    const answer = await ask({
      title: "Approve the plan?",
      show: drafted.tasks,
      choices: round > REVISIONS ? (["approve", "abort"] as const) : (["approve", "revise", "abort"] as const),
      auto: "approve",
      accepts: "approve",
    });
    if (answer.choice === "abort") return fail("aborted");
    wish = answer.note ?? "";
    return { tasks: drafted.tasks, by: answer.by, decision: answer.decision };
  });
  await askForMissingChecks(desk, setup, tasks);
  // A plan that nobody has read announces nothing: the planner would be excusing the implementer.
  if (by === "automatic") await noteIgnored(desk, announcedBy(tasks), "no person has approved the plan");
  else await announce(announcedBy(tasks));
  return tasks;
}

/** A gate that cannot be passed is better known before the work than after three rounds of it. */
async function askForMissingChecks({ ask, fail }: Desk, { commands }: Setup, tasks: readonly Task[]): Promise<void> {
  const short = missingChecks(tasks, commands);
  if (short.length === 0) return;
  const answer = await ask({
    title: "The plan needs checks that this project does not have. Go on without them?",
    show: { missing: short, configured: commands },
    choices: ["abort", "go on"],
    auto: "never",
  });
  if (answer.choice === "abort") return fail("aborted: the plan needs checks that this project does not have");
}

/** Checks that tasks cannot do without and nobody configured. Numbers alone never fall short: the engine has three. */
export function missingChecks(tasks: readonly Pick<Task, "id" | "checks">[], commands: readonly string[]): string[] {
  const known = new Set([...commands, ...OWN_CHECKS]);
  return tasks.flatMap(({ id, checks }) => checks.filter((name) => !known.has(name)).map((name) => `${id}: ${name}`));
}

export async function writePlan({ write, risk }: Desk, folder: string, tasks: readonly Task[]): Promise<void> {
  const overall = overallRisk(tasks);
  const inWaves = waves(tasks).map((wave, at) => ({
    id: `wave-${at + 1}`,
    tasks: wave.map(({ id }) => id),
    max_concurrent: SUB_WAVE,
  }));
  const output = { overall_risk_summary: overall, total_tasks: tasks.length, waves: inWaves, tasks };
  await write(`${folder}/plan-output.yaml`, yamlOf(output));
  await write(`${folder}/plan.md`, markdownOf("Plan", output));
  for (const task of tasks) await write(`${folder}/tasks/${task.id}.yaml`, yamlOf(task));
  risk(overall);
}

export function overallRisk(tasks: readonly Pick<Task, "risk">[]): Risk {
  return RISKS[Math.max(0, ...tasks.map((task) => RISKS.indexOf(task.risk)))] ?? "🟢";
}
