import { SignalboxError } from "../../core/failure/errors.ts";
import type { Json } from "../../core/text/json.ts";
import { foldRunView } from "../../views/run-view.ts";
import type { Call } from "../call.ts";
import { type Child, KILLED, WAITING } from "./child-process.ts";
import { concludeDemo } from "./conclusion.ts";
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

export async function loadWorld(pipeline: string): Promise<RealWorld> {
  const world = WORLDS[pipeline];
  if (world) return (await world()).world;
  throw new SignalboxError(
    "USAGE",
    `There is no demo for pipeline "${pipeline}".`,
    `Choose one of ${DEMOS.join(", ")}.`,
  );
}

/** Delay of each agent, so that a viewer sees agents in parallel and the kill hits running ones. */
const WORK_MS = 250;

export function toDemoSource({ pipeline, files, config, agents }: RealWorld): DemoSource {
  return { name: pipeline, files: { ...files, ".signalbox/config.yaml": config }, agents: agents.map(addDelay) };
}

function addDelay(rule: Json): Json {
  // The rules are written in this repository: each is an object with an optional list of actions.
  const { do: deeds = [], ...rest } = rule as { readonly do?: readonly Json[] };
  return { ...rest, do: [{ sleep: WORK_MS }, ...deeds] };
}

/** Demonstrates the engine with another pipeline: run, kill, resume, answer, commit. */
export async function playWorld(call: Call, stage: Stage, { pipeline, args }: RealWorld): Promise<number> {
  stage.say(`A new repository for pipeline ${pipeline}. Scripted agents work on it: no model, no keys.`);
  await stage.show(["pipelines", "graph", pipeline]);
  await stage.pause();
  const meanwhile = createEngineKiller(stage);
  let exit = await stage.play(["run", pipeline, ...args, "--agents", AGENTS_FILE], meanwhile);
  while (exit === WAITING || exit === KILLED) {
    if (exit === KILLED) {
      stage.say("No engine is running. A new engine continues from the end of the journal:");
      // Reads records that the killed engine wrote but did not print, so that counts are complete.
      await stage.listen(["events", "--after", String(stage.records.at(-1)?.seq ?? 0)]);
    } else await answerOpenQuestion(stage);
    exit = await stage.play(["resume"], meanwhile);
  }
  return concludeDemo(call, stage, exit);
}

async function answerOpenQuestion(stage: Stage): Promise<void> {
  const open = foldRunView(stage.records).open.at(-1);
  if (!open) throw new SignalboxError("INTERNAL", "The demo run waits without a question.", "Please report this bug.");
  const [choice = ""] = open.choices;
  stage.say(`The run is suspended with a question: ${open.title} A second process answers:`);
  await stage.show(["approve", open.approval, "--choose", choice, "--note", "answered by the demo"]);
}

/** Kills the engine when this many agents run in parallel, or have started in total. */
const PARALLEL_AGENTS = 2;
const TOTAL_AGENTS = 4;

function createEngineKiller(stage: Stage): (child: Child) => Promise<void> {
  let killed = false;
  return async (child) => {
    const started = stage.records.filter(({ type }) => type === "agent.started").length;
    const ended = stage.records.filter(({ type }) => type === "agent.finished").length;
    const atWork = started - ended;
    if (killed || atWork === 0 || (atWork < PARALLEL_AGENTS && started < TOTAL_AGENTS)) return;
    killed = true;
    stage.say("Agents are running. Now the engine is killed:");
    await stage.pause(1_000);
    stage.line(`$ kill -9 ${child.pid}`);
    stage.note("killed", { pid: child.pid, signal: "SIGKILL" });
    child.kill("SIGKILL");
  };
}
