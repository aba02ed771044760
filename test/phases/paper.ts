import type { AttemptRequest, Effect } from "../../src/core/journal/effect.ts";
import type { JournalRecord } from "../../src/core/journal/record.ts";
import { EventLine } from "../../src/pipelines/phases/gate-event.ts";
import { phases } from "../../src/pipelines/phases/index.ts";
import {
  createHighRisk,
  createProposal,
  createReply,
  createPhase as phaseOf,
} from "../../src/pipelines/phases/planning/plan.fixture.ts";
import { type Files, type Play, paperWorld } from "../support/answers/paper-world.ts";
import { anyInput, COMMANDS, cast } from "../support/answers/scenario.ts";
import { lookAt, type People, type PlayedRun, questions, toEnd, writtenBy } from "../support/played.ts";
import { type StageOptions, stage } from "../support/stage.ts";

export { commits, inputsOf, judged, phasesOf, questions, roles, sentTo } from "../support/played.ts";

export { createHighRisk, createProposal, createReply };
export const pipeline = anyInput(phases);
export const TASK = "add-three-parts";
export const PLAN_FILE = `plans/${TASK}-plan.md`;
export const EVENTS_FILE = `plans/artifacts/observability/${TASK}.ndjson`;

export type Part = (request: AttemptRequest) => Play;
type Fields = { readonly status: string } & Record<string, unknown>;

/** Gives the same answer every time. */
export const says =
  (agent: string, fields: Fields): Part =>
  () => ({ contract: createReply(agent, fields) });

/** Gives one answer after the other, and repeats the last. */
export function turns(...parts: readonly Part[]): Part {
  let asked = 0;
  return (request) => {
    const part = parts[Math.min(asked, parts.length - 1)];
    asked += 1;
    return part ? part(request) : silent();
  };
}

export const silent = (code = "agent_silent"): Play => ({ failure: { code, transient: true } });

/** A phase that creates its own file. */
export const phase = (id: number, wave: number, more: object = {}) =>
  phaseOf(id, {
    wave,
    objective: `Build part ${id}`,
    files: [{ path: `src/part-${id}.ts`, action: "create" }],
    tests: [`part ${id} works`],
    steps: ["Write a test", "Make it pass"],
    dependencies: wave > 1 ? [1] : [],
    ...more,
  });

/** Three phases in two waves, reviewed by the auditor and the assumption verifier. */
export const PLAN = createProposal({
  task_title: "Add three parts",
  summary: "Three parts, the last on top of the first.",
  phases: [phase(1, 1), phase(2, 1), phase(3, 2)],
  complexity_tier: "MEDIUM",
});

/** Two phases that trigger no review. */
export const SMALL = createProposal({ phases: [phase(1, 1), phase(2, 2)], complexity_tier: "SMALL" });

export const plans = (plan: object): Part => {
  return () => ({ contract: plan });
};
export const audits = (status: string, more: object = {}): Part =>
  says("PlanAuditor", { status, scoring: { percentage: status === "APPROVED" ? 90 : 70 }, ...more });
export const mirages = (...findings: readonly object[]): Part =>
  says("AssumptionVerifier", { status: "COMPLETE", mirage_findings: findings, scoring: { percentage: 90 } });
export const simulates = (status: string, more: object = {}): Part =>
  says("ExecutabilityVerifier", {
    status,
    tasks_simulated: [{ task_id: "1", task_verdict: status === "FAIL" ? "BLOCKED" : "EXECUTABLE" }],
    ...more,
  });
/** Plays an executor that writes this text into the phase's own file. */
export const builds =
  (text: (request: AttemptRequest) => string, agent = "CoreImplementer"): Part =>
  (request) => {
    const file = `src/${request.task.replace("phase", "part")}.ts`;
    const contract = createReply(agent, { status: "COMPLETE", changes: [{ file }], summary: `built ${request.task}` });
    return { contract, files: { [file]: text(request) } };
  };

/** Answers in which every agent does its task. */
export const ANSWERS: Readonly<Record<string, Part>> = {
  CodeMapper: says("CodeMapper", { status: "COMPLETE", answer: "one folder", files: [] }),
  Researcher: says("Researcher", { status: "COMPLETE", scope_in: ["src"], scope_out: ["docs"] }),
  Planner: plans(PLAN),
  PlanAuditor: audits("APPROVED"),
  AssumptionVerifier: mirages(),
  ExecutabilityVerifier: simulates("PASS"),
  CoreImplementer: builds(({ task }) => `export const made = "${task}";\n`),
  CodeReviewer: says("CodeReviewer", { status: "APPROVED" }),
};

export type Setting = Pick<People, "answer" | "answers"> & {
  readonly parts?: Readonly<Record<string, Part>>;
  readonly base?: Files;
  readonly checkout?: Files;
  readonly commands?: readonly { readonly name: string; readonly run: string }[];
  readonly approvals?: "interactive" | "autonomous";
  readonly input?: object;
  readonly policy?: unknown;
  /** Replaces the paper world's handling of an effect. */
  readonly perform?: (effect: Effect, paper: (effect: Effect) => unknown) => unknown;
  readonly more?: Partial<StageOptions>;
};

export type Played = PlayedRun & {
  /** Last text written under each path. */
  readonly files: Files;
};

/** Runs the pipeline once on a memory host, to its end or to a question without an answer. */
export async function play(setting: Setting = {}): Promise<Played> {
  const effects: Effect[] = [];
  const commands = setting.commands ?? COMMANDS;
  const paper = paperWorld({
    pipeline,
    base: setting.base ?? {},
    commands,
    play: cast({ ...ANSWERS, ...setting.parts }),
    checkout: (path) => setting.checkout?.[path],
  });
  const s = await stage({
    pipeline,
    perform: (effect) => {
      effects.push(effect);
      return setting.perform ? setting.perform(effect, paper) : paper(effect);
    },
    order: {
      input: { request: "Add three parts", ...setting.input },
      approvals: setting.approvals ?? "autonomous",
      commands: [...commands],
      policy: { retry_budgets: { backoff_base_ms: 0 }, ...(setting.policy as object | undefined) },
    },
    ...setting.more,
  });
  const run = await lookAt(s, effects, await toEnd(s, setting));
  return { ...run, files: writtenBy(effects) };
}

export const asked = (played: Played, title: string): JournalRecord<"approval.requested"> | undefined =>
  questions(played).find((question) => question.title.includes(title));
export const answered = (played: Played): [string, string][] =>
  played.records.flatMap((record): [string, string][] =>
    record.type === "approval.decided" ? [[record.by, record.choice]] : [],
  );
/** Reads the events from the file. */
export const eventsOf = (played: Played): EventLine[] =>
  (played.files[EVENTS_FILE] ?? "")
    .split("\n")
    .filter(Boolean)
    .map((line) => EventLine.parse(JSON.parse(line)));
/** Returns the newest note of every name, as `status` shows them. */
export const notesOf = (played: Played): Record<string, unknown> => {
  const notes = new Set(
    played.records.flatMap((each) => (each.type === "step.started" && each.verb === "note" ? [each.key] : [])),
  );
  const facts = played.records.flatMap((each) =>
    each.type === "step.finished" && notes.has(each.key) ? [each.value] : [],
  );
  return Object.assign({}, ...facts) as Record<string, unknown>;
};
