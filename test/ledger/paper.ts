import type { AttemptRequest, Effect } from "../../src/core/effect.ts";
import type { LedgerRow } from "../../src/core/ledger.ts";
import type { JournalRecord } from "../../src/core/record.ts";
import { ledger } from "../../src/pipelines/ledger/index.ts";
import { type Files, type Play, paperWorld } from "../support/answers/paper-world.ts";
import { anyInput, COMMANDS, cast } from "../support/answers/scenario.ts";
import { type Stage, type StageOptions, stage } from "../support/stage.ts";

export const pipeline = anyInput(ledger);
export const SLUG = "greet-people-by-name";
export const FOLDER = `docs/feature/${SLUG}`;

export const approve = { security: "approve", architecture: "approve", correctness: "approve" } as const;
export const task = (id: string, more: object = {}) => ({ id, files: [`src/${id}.ts`], ...more });
export const says = (contract: object): (() => Play) => {
  return () => ({ contract });
};
export const plans = (...tasks: readonly object[]) => says({ tasks });
/** An implementer that leaves this text in the task's own file. */
export const builds =
  (text: (request: AttemptRequest) => string) =>
  (request: AttemptRequest): Play => ({ contract: {}, files: { [`src/${request.task}.ts`]: text(request) } });

type Part = (request: AttemptRequest) => Play;

/** Nearly empty answers, each with only what control flow needs. */
const ANSWERS: Readonly<Record<string, Part>> = {
  evaluator: says({}),
  researcher: says({ summary: "one module" }),
  spec: says({ summary: "greets by name" }),
  designer: says({ summary: "one function" }),
  reviewer: says({ verdicts: approve }),
  planner: plans(task("greet"), task("shout", { depends_on: ["greet"] })),
  implementer: builds(({ task }) => `export const ${task} = 1;\n`),
  verifier: says({ status: "DONE" }),
  knowledge: says({ summary: "nothing new" }),
};

export type Played = {
  readonly status: string;
  readonly exit: number;
  readonly reason: string;
  readonly records: readonly JournalRecord[];
  /** Every dispatch in order of its start. */
  readonly sent: readonly AttemptRequest[];
  readonly rows: readonly LedgerRow[];
  /** What was written last under each path, below the feature's folder. */
  readonly files: Files;
  readonly effects: readonly Effect[];
  readonly stage: Stage;
};

export type Setting = {
  readonly parts?: Readonly<Record<string, Part>>;
  readonly base?: Files;
  readonly commands?: readonly { readonly name: string; readonly run: string }[];
  readonly approvals?: "interactive" | "autonomous";
  readonly request?: string;
  readonly dirt?: readonly string[];
  /** Replaces what the paper world does with an effect. */
  readonly perform?: (effect: Effect, paper: (effect: Effect) => unknown) => unknown;
  /** What a person says to each question, in order; then the first choice. */
  readonly answers?: readonly (string | { readonly choice: string; readonly note: string })[];
  /** Another clock than the machine's. */
  readonly world?: StageOptions["world"];
};

/** One run of the pipeline on a memory host, to its end or to the question that nobody answers. */
export async function play(setting: Setting = {}): Promise<Played> {
  const commands = setting.commands ?? COMMANDS;
  const effects: Effect[] = [];
  const base = setting.base ?? { "README.md": "# Greeting\n" };
  const parts = cast({ ...ANSWERS, ...setting.parts });
  const paper = paperWorld({ pipeline, base, commands, play: parts, dirt: setting.dirt ?? [] });
  const s = await stage({
    pipeline,
    ...(setting.world ? { world: setting.world } : {}),
    perform: (effect) => {
      effects.push(effect);
      return setting.perform ? setting.perform(effect, paper) : paper(effect);
    },
    order: {
      input: { request: setting.request ?? "Greet people by name" },
      approvals: setting.approvals ?? "autonomous",
      commands: [...commands],
    },
  });
  const end = await toEnd(s, [...(setting.answers ?? [])]);
  const records = await s.records();
  const finished = records.findLast((record) => record.type === "run.finished");
  return {
    ...end,
    reason: finished?.reason ?? "",
    records,
    sent: effects.flatMap((effect) => (effect.kind === "attempt" ? [effect.request] : [])),
    rows: records.flatMap((record) => record.rows ?? []),
    files: Object.fromEntries(
      effects.flatMap((effect) =>
        effect.kind === "write" ? [[effect.request.path.replace(`${FOLDER}/`, ""), effect.request.text]] : [],
      ),
    ),
    effects,
    stage: s,
  };
}

async function toEnd(s: Stage, answers: (string | { choice: string; note: string })[]) {
  for (;;) {
    const end = await s.drive();
    if (end.status !== "waiting") return end;
    const asked = (await s.records()).findLast((record) => record.type === "approval.requested");
    const said = answers.shift();
    if (!asked || said === undefined) return end;
    const answer = typeof said === "string" ? { choice: said } : said;
    await s.post({ kind: "answer", approval: asked.approval, hash: asked.hash, by: "Ada", ...answer });
  }
}

export const roles = (played: Played): string[] => played.sent.map((request) => request.role);
export const sentTo = (played: Played, role: string): AttemptRequest[] =>
  played.sent.filter((request) => request.role === role);
export const inputsOf = (played: Played, role: string): Record<string, unknown>[] =>
  // Inputs of this pipeline's roles are objects.
  sentTo(played, role).map((request) => request.input as Record<string, unknown>);
export const phasesOf = (played: Played): string[] => {
  const all = played.records.flatMap((record) => (record.type === "step.started" ? [record.phase] : []));
  return all.filter((phase, at) => phase !== all[at - 1]);
};
export const questions = (played: Played): JournalRecord<"approval.requested">[] =>
  played.records.filter((record) => record.type === "approval.requested");
export const commits = (played: Played) =>
  played.effects.flatMap((effect) => (effect.kind === "commit" ? [effect.request] : []));
/** Per rule of a gate, in order: did it pass? */
export const judged = (played: Played, gate: string): [string, boolean][] =>
  played.records.flatMap((record): [string, boolean][] =>
    record.type === "gate.evaluated" && record.gate === gate ? [[record.rule, record.passed]] : [],
  );
export const tableOf = (played: Played, table: LedgerRow["table"]) =>
  played.rows.filter((row) => row.table === table).map((row) => row.values);
export const fails = (code = "agent_crashed"): Play => ({ failure: { code, transient: true } });
