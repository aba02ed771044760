import { rmSync } from "node:fs";
import { SignalboxError } from "../../core/failure/errors.ts";
import { foldRunView } from "../../views/run-view.ts";
import type { Call } from "../call.ts";
import { type Child, KILLED, WAITING } from "../demo/child-process.ts";
import { concludeDemo } from "../demo/conclusion.ts";
import { formatPlan } from "../demo/plan-lines.ts";
import { AGENTS_FILE, type DemoProject, makeDemoProject } from "../demo/project.ts";
import { waitForAgents } from "../demo/running-agents.ts";
import { openStage, type Stage } from "../demo/stage.ts";
import { waitForEnter } from "../demo/wait-for-enter.ts";
import { loadWorld, playWorld, toDemoSource } from "../demo/world-demos.ts";

const REQUEST = "Loud greetings, and initials";

export type DemoFlags = { readonly keep?: boolean; readonly pipeline: string };

/** Runs a pipeline with scripted agents and the failures an engine must survive. `ledger` shows all of them. */
export async function runDemo(call: Call, flags: DemoFlags): Promise<number> {
  const world = flags.pipeline === "ledger" ? undefined : await loadWorld(flags.pipeline);
  const project = makeDemoProject(world && toDemoSource(world));
  const stage = openStage(call, project, world && []);
  const signals = forwardSignals(stage);
  try {
    const exit = await (world ? playWorld(call, stage, world) : playLedgerDemo(call, stage, project));
    return signals.exit() ?? exit;
  } finally {
    await stage.lower();
    // If the run did not finish, cancel it, which also ends agents that have no engine.
    if (stage.records.length > 0 && stage.records.at(-1)?.type !== "run.finished") await stage.listen(["cancel"]);
    signals.close();
    if (flags.keep) process.stderr.write(`Demo repository: ${project.repo}\n`);
    else rmSync(project.home, { recursive: true, force: true });
  }
}

async function playLedgerDemo(call: Call, stage: Stage, project: DemoProject): Promise<number> {
  stage.say("A new repository with one function and its test. Scripted agents work on it: no model, no keys.");
  stage.say("The engine, git, the tests and the gates are real. Agents propose changes; the engine verifies them.");
  await stage.pause();
  let exit = await stage.play(["run", "ledger", REQUEST, "--agents", AGENTS_FILE]);
  while (exit === WAITING) {
    await answerDemoQuestion(call, stage);
    exit = await stage.play(["resume"], killOnParallelTasks(stage, project));
  }
  if (exit === KILLED) exit = await recoverFromKill(stage, project);
  return concludeDemo(call, stage, exit);
}

/**
 * Answers the open question of the suspended run. A viewer at the terminal may decide; otherwise a second process
 * answers, and the output says so.
 */
async function answerDemoQuestion(call: Call, stage: Stage): Promise<void> {
  const open = foldRunView(stage.records).open.at(-1);
  if (!open) throw new SignalboxError("INTERNAL", "The demo run waits without a question.", "Please report this bug.");
  const [choice = ""] = open.choices;
  const approve = ["approve", open.approval, "--choose", choice];
  if (!isPlanQuestion(open)) {
    stage.say("The run is suspended until a person decides whether to continue. A second process answers:");
    return stage.show([...approve, "--note", "answered by the demo"]);
  }
  stage.say("The plan needs approval. Nothing is running meanwhile: the question is a row in a database.");
  for (const line of formatPlan(open.show)) stage.line(line);
  if (call.terminal) stage.line(call.paint.yellow("  Press Enter to approve it yourself."));
  if (call.terminal && (await stage.aside(() => waitForEnter(stage.stopped)))) return stage.show(approve);
  stage.say("No answer, so a second process approves:");
  await stage.show([...approve, "--note", "no answer: approved by the demo"]);
}

const isPlanQuestion = ({ key }: { readonly key: string }): boolean => key.startsWith("4 Plan");

/** Kills the engine with SIGKILL once two implementers are running. */
function killOnParallelTasks(stage: Stage, project: DemoProject): (child: Child) => Promise<void> {
  let killed = false;
  return async (child) => {
    if (killed || countRunningImplementers(stage) < 2) return;
    killed = true;
    await waitForAgents(project, (count) => count >= 2);
    stage.say("Two tasks are built in parallel, each in its own copy. Now the engine is killed:");
    await stage.pause(1_000);
    stage.line(`$ kill -9 ${child.pid}`);
    stage.note("killed", { pid: child.pid, signal: "SIGKILL" });
    child.kill("SIGKILL");
  };
}

function countRunningImplementers({ records }: Stage): number {
  const open = new Set<string>();
  for (const record of records) {
    if (record.type === "agent.started" && record.role === "implementer") open.add(`${record.key}@${record.attempt}`);
    if (record.type === "agent.finished") open.delete(`${record.key}@${record.attempt}`);
  }
  return open.size;
}

/** Continues after the kill: one agent finishes without an engine, then a new engine takes over. */
async function recoverFromKill(stage: Stage, project: DemoProject): Promise<number> {
  stage.say("No engine is running. One agent still finishes; a new engine takes over its work.");
  await waitForAgents(project, (count) => count <= 1);
  await stage.listen(["events", "--after", String(stage.records.at(-1)?.seq ?? 0)]);
  return stage.play(["resume"]);
}

const EXITS = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

/** Forwards a signal to the child process, which drains. The demo then cleans up and exits with the signal's code. */
function forwardSignals(stage: Stage): { exit(): number | undefined; close(): void } {
  let exit: number | undefined;
  const createSignalHandler = (signal: keyof typeof EXITS) => (): void => {
    if (exit !== undefined) return;
    exit = EXITS[signal];
    stage.stop(signal === "SIGHUP" ? "SIGTERM" : signal);
  };
  const handlers = (["SIGINT", "SIGTERM", "SIGHUP"] as const).map(
    (signal) => [signal, createSignalHandler(signal)] as const,
  );
  for (const [signal, handler] of handlers) process.on(signal, handler);
  return {
    exit: () => exit,
    close: () => {
      for (const [signal, handler] of handlers) process.off(signal, handler);
    },
  };
}
