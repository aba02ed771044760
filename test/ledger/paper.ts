import type { AttemptRequest, Effect } from "../../src/core/journal/effect.ts";
import type { LedgerRow } from "../../src/core/journal/ledger.ts";
import { ledger } from "../../src/pipelines/ledger/index.ts";
import { type Files, type Play, paperWorld } from "../support/answers/paper-world.ts";
import { anyInput, COMMANDS, cast } from "../support/answers/scenario.ts";
import { lookAt, type People, type PlayedRun, toEnd, writtenBy } from "../support/played.ts";
import { type StageOptions, stage } from "../support/stage.ts";

export {
  announced,
  commits,
  finishedOf,
  inputsOf,
  judged,
  phasesOf,
  questions,
  roles,
  sentTo,
} from "../support/played.ts";

export const pipeline = anyInput(ledger);
export const SLUG = "greet-people-by-name";
export const FOLDER = `docs/feature/${SLUG}`;

export const approve = { security: "approve", architecture: "approve", correctness: "approve" } as const;
export const task = (id: string, more: object = {}) => ({ id, files: [`src/${id}.ts`], ...more });
export const says = (contract: object): (() => Play) => {
  return () => ({ contract });
};
export const plans = (...tasks: readonly object[]) => says({ tasks });
/** Plays an implementer that writes this text into the task's own file. */
export const builds =
  (text: (request: AttemptRequest) => string) =>
  (request: AttemptRequest): Play => ({ contract: {}, files: { [`src/${request.task}.ts`]: text(request) } });

type Part = (request: AttemptRequest) => Play;

/** Minimal answers, each with only the fields that control flow needs. */
const ANSWERS: Readonly<Record<string, Part>> = {
  evaluator: says({}),
  researcher: says({ summary: "one module" }),
  spec: says({ summary: "greets by name" }),
  designer: says({ summary: "one function" }),
  reviewer: says({ verdicts: approve }),
  planner: plans(task("greet"), task("shout", { depends_on: ["greet"] })),
  implementer: builds(({ task, round }) => `export const ${task} = ${round};\n`),
  verifier: says({ status: "DONE" }),
  knowledge: says({ summary: "nothing new" }),
};

export type Played = PlayedRun & {
  readonly rows: readonly LedgerRow[];
  /** Last text written under each path, below the feature's folder. */
  readonly files: Files;
};

export type Setting = Pick<People, "answers"> & {
  readonly parts?: Readonly<Record<string, Part>>;
  readonly base?: Files;
  readonly commands?: readonly { readonly name: string; readonly run: string }[];
  readonly approvals?: "interactive" | "autonomous";
  readonly request?: string;
  /** Further input of the run. */
  readonly input?: Readonly<Record<string, unknown>>;
  readonly dirt?: readonly string[];
  /** Replaces the paper world's handling of an effect. */
  readonly perform?: (effect: Effect, paper: (effect: Effect) => unknown) => unknown;
  /** Replaces the machine's clock. */
  readonly world?: StageOptions["world"];
};

/** Runs the pipeline once on a memory host, to its end or to a question without an answer. */
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
      input: { request: setting.request ?? "Greet people by name", ...setting.input },
      approvals: setting.approvals ?? "autonomous",
      commands: [...commands],
    },
  });
  const run = await lookAt(s, effects, await toEnd(s, setting));
  const files = Object.entries(writtenBy(effects)).map(([path, text]) => [path.replace(`${FOLDER}/`, ""), text]);
  return { ...run, rows: run.records.flatMap((record) => record.rows ?? []), files: Object.fromEntries(files) };
}

/** Makes checks report how many tests they ran. */
export const reporting = (effect: Effect, paper: (effect: Effect) => unknown): unknown => {
  if (effect.kind !== "check") return paper(effect);
  // The paper world answers a check with a list.
  const results = paper(effect) as { name: string }[];
  const tests = { passed: 3, failed: 0, skipped: 0, total: 3, source: "vitest" };
  return results.map((each) => (each.name === "test" ? { ...each, tests } : each));
};

export const tableOf = (played: Played, table: LedgerRow["table"]) =>
  played.rows.filter((row) => row.table === table).map((row) => row.values);
export const fails = (code = "agent_crashed"): Play => ({ failure: { code, transient: true } });
