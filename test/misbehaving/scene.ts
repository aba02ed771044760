import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, delimiter, dirname, join, resolve } from "node:path";
import { createRealWorld } from "../../src/cli/real-world.ts";
import { definePipeline, type Pipeline } from "../../src/core/authoring/pipeline.ts";
import { defineRole } from "../../src/core/authoring/role.ts";
import type { Effect } from "../../src/core/journal/effect.ts";
import type { Driver } from "../../src/core/ports/driver.ts";
import { createExecutor, type Executor } from "../../src/engine/execute/executor.ts";
import { createOpenSandbox, type Sandbox } from "../../src/processes/sandbox/sandbox.ts";
import { createSupervisor } from "../../src/processes/supervisor.ts";
import { gitWorkspace } from "../../src/workspace/workspace.ts";
import { ACTORS } from "./columns.ts";
import { DIALECT, Review, SECRET } from "./texts.ts";

const ROOT = resolve(import.meta.dirname, "..", "..");
const ACTOR = join(import.meta.dirname, "actor", "actor.mjs");
/** Time that a stopped agent has to clean up. */
const GRACE_MS = 150;

const reader = defineRole({ name: "reader", does: "reviews", contract: Review });
const writer = defineRole({ name: "writer", does: "reviews and writes", contract: Review, writes: true });
const pipeline = definePipeline(
  {
    name: "review",
    about: "One dispatch, judged as a run judges it.",
    version: 1,
    input: Review,
    dialect: DIALECT,
    phases: [{ title: "1 Review", roles: [reader, writer] }],
    cap: 1,
  },
  async () => ({ status: "done" }),
);

export type Scene = {
  /** PATH with the actor's programs first. */
  readonly path: string;
  readonly dir: string;
  /** The folder to which the processes of an attempt write their output. */
  spoolOf(effect: Effect<"attempt">): string;
  attempt(order: { key: string; role: string; nonce: string }): Effect<"attempt">;
  performer(driver: Driver, sandbox: Sandbox | undefined): Executor;
};

/** A real repository, workspace and supervisor, so results are judged as in a run. */
export async function openScene(dir: string): Promise<Scene> {
  const [repo, cache, runs] = [join(dir, "repo"), join(dir, "cache"), join(dir, "runs")];
  // A unique run, or another test's sweep would find processes with the same name.
  const run = basename(dir);
  const tree = makeRepository(repo);
  const world = createRealWorld({ REVIEW_API_KEY: SECRET });
  const workspace = await gitWorkspace({ repo, cache });
  const walls = { hidden: [repo, runs], readable: [ROOT, dirname(process.execPath)] };
  return {
    dir,
    path: [writePrograms(join(dir, "bin")), dirname(process.execPath), "/usr/local/bin:/usr/bin:/bin"].join(delimiter),
    spoolOf: ({ id, run }) => join(runs, run, "spool", `${run}-${world.hash(id).slice(0, 16)}`),
    attempt({ key, role, nonce }) {
      const names = { pipeline: "review", phase: "1 Review", role, instance: "", task: "", round: 1, attempt: 1 };
      const delivers = role === "writer" ? { delivers: ["a.txt"] } : {};
      const request = { ...names, input: { what: "a.txt" }, nonce, tree, rendered: [], ...delivers };
      return { id: `${run}/1 Review/${key}@1`, run, kind: "attempt", request };
    },
    performer: (driver, sandbox) =>
      createExecutor({
        workspace,
        processes: createSupervisor({
          world,
          graceMs: GRACE_MS,
          sandbox: sandbox ?? createOpenSandbox("not asked for"),
        }),
        definitions: { define: async () => ({ prompt: "Review a.txt.", driver, from: "the test" }) },
        world,
        // The executor accepts pipelines of any input; this one is the only one requested.
        pipelines: () => pipeline as Pipeline,
        cache,
        runs,
        ...(sandbox ? { sandboxPaths: walls } : {}),
      }),
  };
}

function makeRepository(repo: string): string {
  const git = (...args: string[]) => execFileSync("git", args, { cwd: repo, encoding: "utf8" }).trim();
  mkdirSync(repo, { recursive: true });
  git("init", "-q", "-b", "main");
  writeFileSync(join(repo, "a.txt"), "a\n");
  git("add", "a.txt");
  git("-c", "user.name=t", "-c", "user.email=t@t", "commit", "-qm", "begin");
  return git("rev-parse", "HEAD^{tree}");
}

function writePrograms(bin: string): string {
  mkdirSync(bin);
  for (const { program } of Object.values(ACTORS)) symlinkSync(ACTOR, join(bin, program));
  return bin;
}
