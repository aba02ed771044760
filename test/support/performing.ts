import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach } from "vitest";
import { createRealWorld } from "../../src/cli/real-world.ts";
import type { Pipeline } from "../../src/core/authoring/pipeline.ts";
import type { AttemptRequest, Effect } from "../../src/core/journal/effect.ts";
import type { Driver } from "../../src/core/ports/driver.ts";
import type { Processes } from "../../src/core/ports/processes.ts";
import { createExecutor, type Executor } from "../../src/engine/execute/executor.ts";
import { createSupervisor } from "../../src/processes/supervisor.ts";
import { gitWorkspace } from "../../src/workspace/workspace.ts";

/** Unique to this file's tests, so that they do not end processes with another run's cookies. */
export const RUN = `r-${randomBytes(4).toString("hex")}`;

/** Expected of roles that sign; others are not asked for it. */
export const SIGNATURE = "GREY_HERON";
/** The prompt in every role's definition. */
export const PROMPT = "You play a part in a test.";

export type ExecutorStage = {
  /** Returns a path below the folder of the running test, which contains `repo`, `cache` and `runs`. */
  at(...names: readonly string[]): string;
  git(...args: readonly string[]): string;
  performer(driver: Driver, wrap?: (processes: Processes) => Processes): Promise<Executor>;
  /** Resolves when unneeded files are removed. */
  settled(): Promise<unknown>;
  attempt(role: string, more?: Partial<AttemptRequest>): Effect<"attempt">;
};

/** `shared` adds a bare repository, `shared.git`, through which a team exchanges work. */
export type StageOptions = { readonly shared?: boolean };

/** Creates a repository with one file and executors for every test, and removes them afterwards. */
export function executorStage(pipeline: Pipeline, { shared = false }: StageOptions = {}): ExecutorStage {
  let dir = "";
  const made: Executor[] = [];
  const at = (...names: readonly string[]) => join(dir, ...names);
  const git = (...args: readonly string[]) => execFileSync("git", args, { cwd: at("repo"), encoding: "utf8" }).trim();
  const settled = () => Promise.all(made.map((each) => each.settled()));

  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), "signalbox-perform-"));
    mkdirSync(at("repo"));
    git("init", "-q", "-b", "main");
    writeFileSync(at("repo", "a.txt"), "a\n");
    git("add", "a.txt");
    git("-c", "user.name=t", "-c", "user.email=t@t", "commit", "-qm", "begin");
    if (!shared) return;
    execFileSync("git", ["clone", "-q", "--bare", "repo", "shared.git"], { cwd: dir });
    git("remote", "add", "origin", at("shared.git"));
  });
  afterEach(async () => {
    await settled();
    made.length = 0;
    rmSync(dir, { recursive: true, force: true });
  });

  return {
    at,
    git,
    settled,
    async performer(driver, wrap = (processes) => processes) {
      const world = createRealWorld({});
      const performer = createExecutor({
        workspace: await gitWorkspace({
          repo: at("repo"),
          cache: at("cache"),
          ...(shared ? { remote: "origin" } : {}),
        }),
        processes: wrap(createSupervisor({ world, graceMs: 100 })),
        definitions: { define: async () => ({ prompt: PROMPT, driver, signature: SIGNATURE, from: "the test" }) },
        world,
        pipelines: (name) => (name === pipeline.name ? pipeline : undefined),
        cache: at("cache"),
        runs: at("runs"),
      });
      made.push(performer);
      return performer;
    },
    attempt(role, more = {}) {
      const request: AttemptRequest = {
        pipeline: pipeline.name,
        phase: "1 Work",
        role,
        instance: "",
        task: "",
        round: 1,
        attempt: 1,
        input: {},
        nonce: "n0nce",
        tree: git("rev-parse", "HEAD^{tree}"),
        rendered: [],
        ...more,
      };
      return { id: `${RUN}/1 Work/${role}@${request.attempt}`, run: RUN, kind: "attempt", request };
    },
  };
}
