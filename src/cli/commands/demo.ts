import { globSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { SignalboxError } from "../../core/errors.ts";
import type { JournalRecord } from "../../core/record.ts";
import type { Call } from "../call.ts";
import { type Child, isRecord, signalbox } from "../demo/child.ts";
import { type DemoProject, makeDemoProject } from "../demo/project.ts";
import { type Story, storyOf } from "../demo/story.ts";
import { createTeller } from "../drive-run.ts";

const REQUEST = "Greet in capitals, and give the initials of a name";

/** One feature through the ledger pipeline, with everything going wrong that a program in charge must survive. */
export async function demo(call: Call, flags: { readonly keep?: boolean }): Promise<number> {
  const project = makeDemoProject();
  const stage = openStage(call, project);
  // Ctrl-C reaches the child too, which drains; the demo only has to outlive it.
  const outlive = (): void => {};
  process.on("SIGINT", outlive);
  try {
    stage.say("A repository with one function, two checks, and a team of scripted agents: no keys, no model.");
    let exit = await stage.play(["run", "ledger", REQUEST, "--agents", project.agents]);
    while (exit === WAITING) {
      await answer(stage);
      exit = await stage.play(["resume"]);
    }
    if (exit === KILLED) exit = await survive(stage);
    stage.close(exit);
    return exit;
  } finally {
    process.off("SIGINT", outlive);
    if (flags.keep) stage.say(`The repository is kept: ${project.repo}`);
    else rmSync(project.home, { recursive: true, force: true });
  }
}

const WAITING = 3;
const KILLED = 128;

/** A second process answers, as any surface could. */
async function answer(stage: Stage): Promise<void> {
  const open = stage.openApproval();
  if (!open) throw new SignalboxError("INTERNAL", "The demo waits without a question.", "Please report this.");
  stage.say("The run is parked and holds no process. A second process answers:");
  await stage.play(["approve", open.approval, "--choose", open.choices[0] ?? ""]);
}

/** The engine was killed in mid-wave: one agent ends meanwhile, then another engine takes over. */
async function survive(stage: Stage): Promise<number> {
  stage.say("Meanwhile nobody is in charge. One of its two agents finishes all the same.");
  await stage.anAgentEnded();
  await stage.catchUp();
  return stage.play(["resume"]);
}

type Stage = {
  say(text: string): void;
  /** Runs the program and tells its events; kills it where the story wants it. */
  play(args: readonly string[]): Promise<number>;
  /** Tells what was recorded but not heard: the last words of a killed engine. */
  catchUp(): Promise<void>;
  openApproval(): JournalRecord<"approval.requested"> | undefined;
  anAgentEnded(): Promise<void>;
  close(exit: number): void;
};

function openStage(call: Call, project: DemoProject): Stage {
  const teller = createTeller(call, []);
  const records: JournalRecord[] = [];
  let killed = false;

  const say = (text: string): void => {
    if (call.json) call.emit({ v: 1, type: "demo.said", text });
    else call.print(`\n${call.paint.cyan(`│ ${text}`)}`);
  };
  const hearAnswer = (line: unknown): void => {
    if (typeof line !== "object" || line === null || !("choice" in line) || !("by" in line)) return;
    say(`${line.choice}, by ${line.by}. It is kept until an engine reads it.`);
  };
  const hear = (line: unknown, child: Child | undefined): void => {
    if (!isRecord(line)) hearAnswer(line);
    if (!isRecord(line) || line.seq <= teller.seq()) return;
    records.push(line);
    if (line.type === "run.finished" && call.json) call.emit({ v: 1, type: "demo.told", ...storyOf(records) });
    teller.tell(line);
    if (killed || !child || implementersAtWork(records) < 2) return;
    killed = true;
    twoAtWork(project).then(() => {
      say(`Two agents work side by side. kill -9 ${child.pid}: the engine is gone, in the middle of the wave.`);
      child.kill();
    });
  };

  return {
    say,
    async play(args) {
      say(`$ signalbox ${args.map(quoted).join(" ")}`);
      const child: Child = signalbox(project, args, (line) => hear(line, child));
      return child.exited;
    },
    catchUp: async () => {
      const after = String(teller.seq());
      await signalbox(project, ["events", "--after", after], (line) => hear(line, undefined)).exited;
    },
    openApproval: () => {
      const decided = new Set(records.flatMap((each) => (each.type === "approval.decided" ? [each.approval] : [])));
      return records.findLast((each) => each.type === "approval.requested" && !decided.has(each.approval)) as
        | JournalRecord<"approval.requested">
        | undefined;
    },
    anAgentEnded: () => anAgentEnded(project),
    close: (exit) => {
      if (!call.json) for (const line of summary(storyOf(records), exit)) call.print(line);
    },
  };
}

function implementersAtWork(records: readonly JournalRecord[]): number {
  const open = new Set<string>();
  for (const record of records) {
    if (record.type === "agent.started" && record.role === "implementer") open.add(record.effect);
    if (record.type === "agent.finished") open.delete(`${record.run}/${record.key}@${record.attempt}`);
  }
  return open.size;
}

const PATIENCE_MS = 15_000;

/** Agents leave a mark in their spool when they begin and when they end, with or without an engine to see it. */
function marks(project: DemoProject, name: "leader" | "exit"): number {
  return globSync(join(project.repo, `.signalbox/runs/*/spool/*/${name}`)).length;
}

async function until(holds: () => boolean): Promise<void> {
  for (let waited = 0; waited < PATIENCE_MS && !holds(); waited += 25) await wait(25);
}

function twoAtWork(project: DemoProject): Promise<void> {
  return until(() => marks(project, "leader") - marks(project, "exit") >= 2);
}

async function anAgentEnded(project: DemoProject): Promise<void> {
  const before = marks(project, "exit");
  await until(() => marks(project, "exit") > before);
}

const quoted = (text: string): string => (/^[\w./:@=-]+$/.test(text) ? text : `"${text}"`);

function summary(story: Story, exit: number): string[] {
  const { commit, adopted, interrupted, repeated } = story;
  return [
    "",
    `What the journal of this run says (exit ${exit}):`,
    `  ${count(story.dispatches, "dispatch", "dispatches")}, up to ${story.sideBySide} side by side, ${story.retried} retried after a failure`,
    `  ${count(story.refusedGates, "gate")} refused the work, which came back revised and passed`,
    `  ${count(story.engines, "engine")}, one of them killed: ${count(adopted, "finished agent")} adopted, ${interrupted} interrupted and sent again`,
    `  ${repeated === 0 ? "nothing that was finished was done twice" : `${repeated} finished dispatches were repeated`}`,
    `  decided by a person: ${story.approvals.join(", ")}`,
    ...(commit ? [`  commit ${commit.commit.slice(0, 10)} on ${commit.branch}`] : []),
    `  orchestration: 0 tokens, ${Math.round(story.orchestrationMs)} ms`,
  ];
}

const count = (number: number, one: string, many = `${one}s`): string => `${number} ${number === 1 ? one : many}`;
