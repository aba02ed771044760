import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { GIT_ENVIRONMENT } from "../ledger/repository.ts";
import { BIN } from "../support/program.ts";

export type CommandEnd = { readonly code: number | null; readonly out: string; readonly err: string };

/** One machine of the team: its own clone, home, state and cache. */
export type Machine = {
  readonly name: string;
  readonly repo: string;
  readonly env: NodeJS.ProcessEnv;
  git(...args: string[]): string;
  signalbox(...args: string[]): Promise<CommandEnd>;
  worker(...flags: string[]): WorkerProcess;
};

export type WorkerProcess = {
  readonly child: ChildProcess;
  /** Its name in journals, once it has printed it. */
  name(): string | undefined;
  /** All output so far. */
  readonly lines: readonly string[];
  /** Resolves when the worker accepts runs. */
  readonly ready: Promise<void>;
  readonly gone: Promise<number | null>;
  end(signal?: NodeJS.Signals): Promise<number | null>;
};

export type TeamScene = {
  readonly dir: string;
  readonly bare: string;
  machine(name: string): Machine;
  /** Asks every remaining worker to stop. */
  endWorkers(): Promise<void>;
  /** Ends every remaining worker, then removes all files. */
  remove(): Promise<void>;
};

export type SceneOptions = {
  readonly url: string;
  readonly files: Readonly<Record<string, string>>;
  readonly config: string;
};

/** A script for the one agent of the pipeline in `SMALL_FILES`. */
export const SMALL_AGENTS = `agents:
  - role: writer
    do: [{ write: { path: a.txt, content: "written\\n" } }]
    output: { summary: write a file }
`;
/** A repository with a pipeline of one agent and no checks. */
export const SMALL_FILES = {
  "README.md": "# here\n",
  ".signalbox/pipelines/small.ts": readFileSync(new URL("../cli/fixtures/small.ts", import.meta.url), "utf8"),
};
export const SMALL_CONFIG = "no-checks: nothing is checked here\n";

/** A team on this machine: clones that share only a bare repository and a database. */
export function teamScene({ url, files, config }: SceneOptions): TeamScene {
  const dir = mkdtempSync(join(tmpdir(), "signalbox-team-"));
  const bare = join(dir, "shared.git");
  const workers: WorkerProcess[] = [];
  begin(dir, bare, { ...files, ".signalbox/config.yaml": config });
  return {
    dir,
    bare,
    machine: (name) => createMachine({ dir, bare, url, name, started: (worker) => workers.push(worker) }),
    async endWorkers() {
      await Promise.all(workers.map((worker) => worker.end()));
    },
    async remove() {
      await Promise.all(workers.map((worker) => worker.end("SIGKILL")));
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

function begin(dir: string, bare: string, files: Readonly<Record<string, string>>): void {
  const first = join(dir, "first");
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(first, path)), { recursive: true });
    writeFileSync(join(first, path), text);
  }
  const git = runGit(first);
  git("init", "-q", "-b", "main");
  git("add", "--all");
  git("commit", "-qm", "begin");
  git("clone", "-q", "--bare", first, bare);
}

const runGit =
  (cwd: string) =>
  (...args: string[]): string =>
    execFileSync("git", args, {
      cwd,
      env: GIT_ENVIRONMENT,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
    }).trim();

type MachineOptions = {
  readonly dir: string;
  readonly bare: string;
  readonly url: string;
  readonly name: string;
  started(worker: WorkerProcess): void;
};

function createMachine({ dir, bare, url, name, started }: MachineOptions): Machine {
  const home = join(dir, name);
  const repo = join(home, "repo");
  mkdirSync(home);
  runGit(home)("clone", "-q", bare, repo);
  const git = runGit(repo);
  git("config", "user.name", "Ada");
  git("config", "user.email", "ada@example.org");
  const env = {
    ...process.env,
    HOME: home,
    XDG_CACHE_HOME: join(home, "cache"),
    XDG_STATE_HOME: join(home, "state"),
    XDG_CONFIG_HOME: join(home, "config"),
    SIGNALBOX_POSTGRES: url,
    SIGNALBOX_TRUST: "1",
    SIGNALBOX_SANDBOX: "off",
  };
  const argv = (args: readonly string[]) => [BIN, "-C", repo, "--json", ...args];
  return {
    name,
    repo,
    env,
    git,
    signalbox: (...args) =>
      waitForExit(spawn(process.execPath, argv(args), { env, stdio: ["ignore", "pipe", "pipe"] })),
    worker(...flags) {
      const child = spawn(process.execPath, argv(["worker", ...flags]), { env, stdio: ["ignore", "pipe", "pipe"] });
      const worker = wrapWorker(child);
      started(worker);
      return worker;
    },
  };
}

function waitForExit(child: ChildProcess): Promise<CommandEnd> {
  let out = "";
  let err = "";
  child.stdout?.on("data", (chunk) => (out += chunk));
  child.stderr?.on("data", (chunk) => (err += chunk));
  return new Promise((resolve) => child.on("close", (code) => resolve({ code, out, err })));
}

function wrapWorker(child: ChildProcess): WorkerProcess {
  const lines: string[] = [];
  const { promise: ready, resolve, reject } = Promise.withResolvers<void>();
  // Prevents an unhandled rejection if a worker fails to start and no test waits for it.
  ready.catch(() => undefined);
  let name: string | undefined;
  const handleLine = (line: string): void => {
    lines.push(line);
    if (!line.includes('"type":"worker.started"')) return;
    name = JSON.parse(line).worker;
    resolve();
  };
  for (const stream of [child.stdout, child.stderr])
    if (stream) createInterface({ input: stream }).on("line", handleLine);
  const gone = new Promise<number | null>((left) => child.on("close", left));
  void gone.then(() => reject(new Error(`the worker left before it took work:\n${lines.join("\n")}`)));
  return {
    child,
    name: () => name,
    lines,
    ready,
    gone,
    end(signal = "SIGTERM") {
      // A paused process receives no other signal before this one.
      child.kill("SIGCONT");
      child.kill(signal);
      return gone;
    },
  };
}
