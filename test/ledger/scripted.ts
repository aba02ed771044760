import { join } from "node:path";
import { realWorld } from "../../src/cli/world.ts";
import type { Command } from "../../src/core/effect.ts";
import type { JournalRecord } from "../../src/core/record.ts";
import { readScript } from "../../src/drivers/scripted/read-script.ts";
import { scriptedDriver } from "../../src/drivers/scripted/scripted-driver.ts";
import { createEngine } from "../../src/engine/engine.ts";
import { createPerformer } from "../../src/engine/perform/performer.ts";
import { sqliteHost } from "../../src/hosts/sqlite/host.ts";
import { supervisor } from "../../src/processes/supervisor.ts";
import { gitWorkspace } from "../../src/workspace/workspace.ts";
import { pipeline } from "./paper.ts";
import { type Repository, repositoryWith } from "./repository.ts";

/** Agents as somebody would write them who knows the seed's words and nothing of this program. */
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

/** Rules of a scenario come first: the first that matches plays. */
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
  /** Something that happens to the checkout before the run. */
  readonly before?: (repository: Repository) => void;
};

/** One autonomous run: a real repository, real agent processes, real checks, a real database. */
export async function perform(setting: Setting = {}): Promise<Scene> {
  const repository = repositoryWith(setting.files ?? FILES);
  const { dir, repo, git } = repository;
  const baseline = git("rev-parse", "HEAD^{tree}");
  setting.before?.(repository);
  const world = realWorld();
  const database = join(dir, "signalbox.db");
  const host = sqliteHost({ file: database, world });
  const workspace = await gitWorkspace({ repo, cache: join(dir, "cache") });
  const driver = scriptedDriver(readScript(setting.agents ?? script()));
  const pipelines = (name: string) => (name === pipeline.name ? pipeline : undefined);
  const performer = createPerformer({
    workspace,
    processes: supervisor({ world, graceMs: 200 }),
    definitions: { define: async () => ({ prompt: "Play your part.", driver, from: "the test" }) },
    world,
    pipelines,
    cache: join(dir, "cache"),
    runs: join(dir, "runs"),
  });
  const engine = createEngine({ host, world, pipelines, performer, owner: "the test", waits: false, patient: false });
  try {
    await host.serve(engine.handlers);
    const run = await engine.start({
      pipeline: pipeline.name,
      input: { request: setting.request ?? "Greet people by name" },
      repo,
      base: await workspace.head(),
      approvals: "autonomous",
      commands: setting.commands ?? COMMANDS,
      limits: {},
      minConfidence: "medium",
    });
    const { status, exit } = await host.drive(run);
    const records = await host.journal.load(run);
    const reason = records.findLast((record) => record.type === "run.finished")?.reason ?? "";
    return { ...repository, run, status, exit, reason, records, database, baseline };
  } finally {
    await host.close();
    await performer.settled();
  }
}
