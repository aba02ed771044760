import { SignalboxError } from "../../core/failure/errors.ts";
import type { Json } from "../../core/text/json.ts";
import { viewOf } from "../../views/run-view.ts";
import type { Call } from "../call.ts";
import { type Child, KILLED, WAITING } from "./child.ts";
import { conclude } from "./conclusion.ts";
import { AGENTS_FILE, type DemoSource } from "./project.ts";
import type { Stage } from "./stage.ts";
import type { RealWorld } from "./world.ts";

const WORLDS: Readonly<Record<string, () => Promise<{ readonly world: RealWorld }>>> = {
  task: () => import("./worlds/task.ts"),
  roadmap: () => import("./worlds/roadmap.ts"),
  phases: () => import("./worlds/phases.ts"),
  clusters: () => import("./worlds/clusters.ts"),
  ticket: () => import("./worlds/ticket.ts"),
};
export const DEMOS: readonly string[] = ["ledger", ...Object.keys(WORLDS)];

export async function worldOf(pipeline: string): Promise<RealWorld> {
  const world = WORLDS[pipeline];
  if (world) return (await world()).world;
  throw new SignalboxError(
    "USAGE",
    `There is no demo of a pipeline "${pipeline}".`,
    `Choose one of ${DEMOS.join(", ")}.`,
  );
}

/** Long enough for a viewer to see agents side by side, and for a kill to meet them at work. */
const WORK_MS = 250;

export function sourceOf({ pipeline, files, config, agents }: RealWorld): DemoSource {
  return { name: pipeline, files: { ...files, ".signalbox/config.yaml": config }, agents: agents.map(slower) };
}

function slower(rule: Json): Json {
  // A list of rules, each with an optional list of deeds.
  const { do: deeds = [], ...rest } = rule as { readonly do?: readonly Json[] };
  return { ...rest, do: [{ sleep: WORK_MS }, ...deeds] };
}

/** The same engine under another pipeline: run, killed in the middle, resumed, asked, committed. */
export async function playWorld(call: Call, stage: Stage, { pipeline, args }: RealWorld): Promise<number> {
  stage.say(`A new repository for the pipeline ${pipeline}. Scripted agents work on it: no model, no keys.`);
  await stage.show(["pipelines", "graph", pipeline]);
  await stage.pause();
  const meanwhile = killing(stage);
  let exit = await stage.play(["run", pipeline, ...args, "--agents", AGENTS_FILE], meanwhile);
  while (exit === WAITING || exit === KILLED) {
    if (exit === KILLED) {
      stage.say("Nobody is in charge. A new engine takes over where the journal ends:");
      // What it had recorded and could not say any more: a count without it would be short of some.
      await stage.listen(["events", "--after", String(stage.records.at(-1)?.seq ?? 0)]);
    } else await answer(stage);
    exit = await stage.play(["resume"], meanwhile);
  }
  return conclude(call, stage, exit);
}

async function answer(stage: Stage): Promise<void> {
  const open = viewOf(stage.records).open.at(-1);
  if (!open) throw new SignalboxError("INTERNAL", "The demo waits without a question.", "Please report this.");
  const [choice = ""] = open.choices;
  stage.say(`The run is parked: ${open.title} A second process plays the person:`);
  await stage.show(["approve", open.approval, "--choose", choice, "--note", "played by the demo"]);
}

/** When this many are at work, or have been one after the other, their engine is killed. */
const SIDE_BY_SIDE = 2;
const IN_A_ROW = 4;

function killing(stage: Stage): (child: Child) => Promise<void> {
  let killed = false;
  return async (child) => {
    const started = stage.records.filter(({ type }) => type === "agent.started").length;
    const ended = stage.records.filter(({ type }) => type === "agent.finished").length;
    const atWork = started - ended;
    if (killed || atWork === 0 || (atWork < SIDE_BY_SIDE && started < IN_A_ROW)) return;
    killed = true;
    stage.say("Agents are at work. Now the engine is killed:");
    await stage.pause(1_000);
    stage.line(`$ kill -9 ${child.pid}`);
    stage.note("killed", { pid: child.pid, signal: "SIGKILL" });
    child.kill("SIGKILL");
  };
}
