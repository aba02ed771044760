import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { stringify } from "yaml";
import type { Json } from "../../src/core/text/json.ts";
import { type Repository, repositoryWith } from "../ledger/repository.ts";
import { BIN } from "../support/program.ts";
import type { RealWorld } from "../worlds/world.ts";

export type Scene = Repository & { readonly world: RealWorld };

/** Creates a repository of the world with agents that also record their starts where no engine reads. */
export function sceneOf(world: RealWorld): Scene {
  const made = repositoryWith(world.files);
  mkdirSync(join(made.repo, ".signalbox"));
  writeFileSync(join(made.repo, ".signalbox", "config.yaml"), world.config);
  made.git("add", ".signalbox/config.yaml");
  made.git("commit", "-qm", "configure");
  writeFileSync(startsOf(made), "");
  const agents = world.agents.map((agent) => withMark(agent, startsOf(made)));
  writeFileSync(join(made.dir, "agents.yaml"), stringify({ agents }));
  return { ...made, world };
}

const startsOf = ({ dir }: Repository): string => join(dir, "starts");

function withMark(agent: Json, file: string): Json {
  // Each rule of a scripted-agents file is a mapping; `do` is a list.
  const rule = agent as { readonly do?: readonly Json[] };
  return { ...rule, do: [{ run: `printf "%s\\n" "$SIGNALBOX_COOKIE" >> ${file}` }, ...(rule.do ?? [])] };
}

export type CommandEnd = { readonly code: number | null; readonly out: string; readonly ms: number };

export function signalbox(at: Scene, args: readonly string[], killAfterMs?: number): Promise<CommandEnd> {
  const from = performance.now();
  const env = {
    ...process.env,
    SIGNALBOX_NO_CHECKS: "nothing is checked here",
    HOME: at.dir,
    XDG_CACHE_HOME: join(at.dir, "cache"),
    XDG_STATE_HOME: join(at.dir, "state"),
    SIGNALBOX_TRUST: "1",
    SIGNALBOX_SANDBOX: "off",
  };
  const argv = [BIN, "-C", at.repo, "--json", ...args];
  const child = spawn(process.execPath, argv, { env, stdio: ["ignore", "pipe", "pipe"] });
  let out = "";
  child.stdout.on("data", (chunk) => (out += chunk));
  child.stderr.on("data", (chunk) => (out += chunk));
  if (killAfterMs !== undefined) setTimeout(() => child.kill("SIGKILL"), killAfterMs);
  return new Promise((resolve) => child.on("close", (code) => resolve({ code, out, ms: performance.now() - from })));
}

export function runOf(at: Scene, killAfterMs?: number): Promise<CommandEnd> {
  const { pipeline, args } = at.world;
  const how = ["--agents", join(at.dir, "agents.yaml"), "--approvals", "autonomous"];
  return signalbox(at, ["run", pipeline, ...args, ...how], killAfterMs);
}

/** Resumes the run. Starts it if the first process died before it existed, and reads its result if it has ended. */
export async function goOn(at: Scene): Promise<CommandEnd> {
  const resumed = await signalbox(at, ["resume"]);
  if (resumed.out.includes('"RUN_UNKNOWN"')) return runOf(at);
  if (!resumed.out.includes('"RUN_ENDED"')) return resumed;
  const { out, ms } = await signalbox(at, ["status"]);
  // One document, whose `exit` is the exit code of the run.
  return { code: (JSON.parse(out) as { exit: number | null }).exit, out, ms };
}

export type Verdict = {
  /** Attempts that were started more than once. */
  readonly twice: readonly string[];
  readonly commits: number;
  /** Content of the retained files in the run's last commit. */
  readonly kept: readonly string[];
};

export function verdictOn(at: Scene): Verdict {
  const starts = readFileSync(startsOf(at), "utf8").split("\n").filter(Boolean);
  const newest = at
    .git("for-each-ref", "--sort=-committerdate", "--format=%(refname:short)", "refs/heads/")
    .split("\n")
    .find((branch) => branch !== "main" && branch !== "");
  return {
    twice: starts.filter((start, index) => starts.indexOf(start) !== index),
    commits: Number(at.git("rev-list", "--count", "--branches", "--not", "main")),
    kept: newest ? at.world.keeps.map((path) => `${path} ${at.git("rev-parse", `${newest}:${path}`)}`) : [],
  };
}
