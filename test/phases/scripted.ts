import { join } from "node:path";
import { createRealWorld } from "../../src/cli/real-world.ts";
import type { Command } from "../../src/core/journal/effect.ts";
import type { JournalRecord } from "../../src/core/journal/record.ts";
import type { ScriptRule } from "../../src/drivers/scripted/script.ts";
import { createSqliteHost } from "../../src/hosts/sqlite/host.ts";
import { type Repository, repositoryWith } from "../ledger/repository.ts";
import { scriptedEngine } from "../support/scripted-run.ts";
import { createProposal, createReply, phase, pipeline } from "./paper.ts";

type Fields = { readonly status: string } & Record<string, unknown>;

/** An agent's answer; `more` contains its actions and when the rule applies. */
export const rule = (role: string, fields: Fields, more: Partial<ScriptRule> = {}): ScriptRule => ({
  role,
  // Contracts are JSON by construction.
  output: createReply(role, fields) as never,
  ...more,
});
export const builds = (id: number, content = `export const part${id} = ${id};\n`): ScriptRule =>
  rule(
    "CoreImplementer",
    { status: "COMPLETE", changes: [{ file: `src/part-${id}.js` }], summary: `built part ${id}` },
    { task: `phase-${id}`, do: [{ write: { path: `src/part-${id}.js`, content } }] },
  );

const part = (id: number, wave: number) =>
  phase(id, wave, { files: [{ path: `src/part-${id}.js`, action: "create" }] });
export const PLAN = createProposal({
  task_title: "Add three parts",
  phases: [part(1, 1), part(2, 1), part(3, 2)],
  complexity_tier: "SMALL",
});

const REST: readonly ScriptRule[] = [
  rule("CodeMapper", { status: "COMPLETE", answer: "one folder" }),
  rule("Researcher", { status: "COMPLETE", scope_in: ["src"], scope_out: ["docs"] }),
  { role: "Planner", output: PLAN as never },
  rule("PlanAuditor", { status: "APPROVED", scoring: { percentage: 90 } }),
  builds(1),
  builds(2),
  builds(3),
  rule("CodeReviewer", { status: "APPROVED" }),
];

export const COMMANDS: readonly Command[] = [
  { name: "build", run: "test -f README.md" },
  { name: "test", run: "! grep -rqs BROKEN src" },
];
export const FILES = { "README.md": "# Parts\n", "src/old.js": "export const old = 1;\n" };

export type Scene = Repository & {
  readonly run: string;
  readonly status: string;
  readonly exit: number;
  readonly reason: string;
  readonly records: readonly JournalRecord[];
};

/** Runs autonomously with a real repository, real agent processes, real checks and a real database. */
export async function perform(agents: readonly ScriptRule[] = [], answers: readonly string[] = []): Promise<Scene> {
  const repository = repositoryWith(FILES);
  const { dir, repo } = repository;
  const host = createSqliteHost({ file: join(dir, "signalbox.db"), world: createRealWorld() });
  const engine = await scriptedEngine({ dir, pipeline, host, agents: [...agents, ...REST] });
  try {
    const run = await engine.start({
      pipeline: pipeline.name,
      input: { request: "Add three parts" },
      repo,
      base: await engine.base(),
      approvals: "autonomous",
      commands: COMMANDS,
      policy: { retry_budgets: { backoff_base_ms: 1 } },
      limits: {},
      minConfidence: "medium",
    });
    let end = await host.drive(run);
    for (const choice of answers) {
      const asked = (await host.journal.load(run)).findLast((record) => record.type === "approval.requested");
      if (end.status !== "waiting" || !asked) break;
      await host.inbox.post(run, { kind: "answer", approval: asked.approval, hash: asked.hash, choice, by: "Ada" });
      end = await host.drive(run);
    }
    const records = await host.journal.load(run);
    const reason = records.findLast((record) => record.type === "run.finished")?.reason ?? "";
    return { ...repository, run, status: end.status, exit: end.exit, reason, records };
  } finally {
    await engine.close();
  }
}
