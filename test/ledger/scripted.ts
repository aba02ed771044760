import { join } from "node:path";
import { createRealWorld } from "../../src/cli/real-world.ts";
import type { Command } from "../../src/core/journal/effect.ts";
import type { JournalRecord } from "../../src/core/journal/record.ts";
import { createSqliteHost } from "../../src/hosts/sqlite/host.ts";
import { scriptedEngine } from "../support/scripted-run.ts";
import { pipeline } from "./paper.ts";
import { type Repository, repositoryWith } from "./repository.ts";

/** Agents written by somebody who knows the pipeline's terms and nothing of this program. */
export const PIECES = {
  planner: `
  - role: planner
    output: { tasks: [{ id: greet, files: [src/greet.js] }] }`,
  implementer: `
  - role: implementer
    do:
      - write: { path: src/greet.js, content: "export const greet = 1;\\n" }
    output: { status: DONE }`,
  reviewer: `
  - role: reviewer
    output: { verdicts: { security: approve, architecture: approve, correctness: approve } }`,
  rest: `
  - role: "*"
    output: { status: DONE }`,
} as const;

/** Rules of a scenario come first: the first match is used. */
export const script = (...rules: readonly string[]): string =>
  `agents:${[...rules, ...Object.values(PIECES)].join("")}\n`;

export const COMMANDS: readonly Command[] = [
  { name: "build", run: "test -f README.md" },
  { name: "test", run: "! grep -rqs BROKEN src" },
];
export const FILES = { "README.md": "# Greeting\n", "src/old.js": "export const old = 1;\n" };

export type Scene = Repository & {
  readonly run: string;
  readonly status: string;
  readonly exit: number;
  readonly reason: string;
  readonly records: readonly JournalRecord[];
  readonly database: string;
  /** The tree that the run started from. */
  readonly baseline: string;
};

export type Setting = {
  readonly agents?: string;
  readonly files?: Readonly<Record<string, string>>;
  readonly commands?: readonly Command[];
  readonly request?: string;
  /** Reason why the run may start without any command. */
  readonly exempt?: string;
  /** Answer to the one question that is asked in every mode. */
  readonly answer?: string;
  /** Changes the checkout before the run. */
  readonly before?: (repository: Repository) => void;
};

/** Runs autonomously with a real repository, real agent processes, real checks and a real database. */
export async function perform(setting: Setting = {}): Promise<Scene> {
  const repository = repositoryWith(setting.files ?? FILES);
  const { dir, repo, git } = repository;
  const baseline = git("rev-parse", "HEAD^{tree}");
  setting.before?.(repository);
  const database = join(dir, "signalbox.db");
  const host = createSqliteHost({ file: database, world: createRealWorld() });
  const engine = await scriptedEngine({ dir, pipeline, host, agents: setting.agents ?? script() });
  try {
    const run = await engine.start({
      pipeline: pipeline.name,
      input: { request: setting.request ?? "Greet people by name" },
      repo,
      base: await engine.base(),
      approvals: "autonomous",
      commands: setting.commands ?? COMMANDS,
      ...(setting.exempt === undefined ? {} : { exempt: setting.exempt }),
      limits: {},
      minConfidence: "medium",
    });
    let end = await host.drive(run);
    const asked = (await host.journal.load(run)).findLast((record) => record.type === "approval.requested");
    if (end.status === "waiting" && asked && setting.answer !== undefined) {
      const { approval, hash } = asked;
      await host.inbox.post(run, { kind: "answer", approval, hash, choice: setting.answer, by: "Ada" });
      end = await host.drive(run);
    }
    const { status, exit } = end;
    const records = await host.journal.load(run);
    const reason = records.findLast((record) => record.type === "run.finished")?.reason ?? "";
    return { ...repository, run, status, exit, reason, records, database, baseline };
  } finally {
    await engine.close();
  }
}
