import { execFile } from "node:child_process";
import { SignalboxError } from "../../core/failure/errors.ts";
import type { ProcessOrder, SandboxRules } from "../../core/ports/processes.ts";
import { locateCommand } from "../programs.ts";
import { BUBBLEWRAP_PROBE, listBubblewrapFlags } from "./bubblewrap.ts";

export type SandboxMode = "auto" | "required" | "off";

export type Sandbox = {
  readonly name: "bubblewrap" | "namespace" | "none";
  readonly confines: {
    readonly files: boolean;
    readonly network: boolean;
    /** True if its child processes end with it, and it ends with the engine. */
    readonly processes: boolean;
  };
  /** One line for the user and the journal. */
  readonly summary: string;
  /** Arguments to put before the command. */
  around(order: ProcessOrder, sandboxRules: SandboxRules): readonly string[];
};

/** `auto` takes the best available sandbox; the summary names what it does not confine. */
export async function chooseSandbox(mode: SandboxMode, env: NodeJS.ProcessEnv = process.env): Promise<Sandbox> {
  if (mode === "off") return createOpenSandbox("switched off");
  const sandbox = await findSandbox(env);
  if (mode === "auto" || sandbox.confines.files) return sandbox;
  throw new SignalboxError(
    "SANDBOX_MISSING",
    `A sandbox is required, but this system cannot confine files (${sandbox.summary}).`,
    "Install bubblewrap (`bwrap`) and allow it user namespaces, or set `sandbox: auto` to run without.",
  );
}

/** Finds out what this system supports: each mechanism is tried once, not only looked up. */
export async function findSandbox(env: NodeJS.ProcessEnv = process.env): Promise<Sandbox> {
  const setsid = locateCommand("setsid", env);
  if (setsid === undefined) return createOpenSandbox("setsid is not installed");
  const best = await tryBubblewrap(locateCommand("bwrap", env), setsid);
  if (typeof best !== "string") return best;
  const unshare = locateCommand("unshare", env);
  for (const flags of unshare === undefined ? [] : NAMESPACES) {
    const walls = [unshare ?? "", ...flags, ...FIRST_PROCESS, setsid];
    if ((await tryWrapper(walls)) === undefined) return createNamespaceSandbox(walls, best);
  }
  return createOpenSandbox(best);
}

export function createOpenSandbox(why: string): Sandbox {
  return {
    name: "none",
    confines: { files: false, network: false, processes: false },
    summary: `sandbox: none (${why})`,
    around: () => [],
  };
}

const NAMESPACES = [
  ["--pid", "--mount-proc"],
  ["--user", "--map-current-user", "--pid", "--mount-proc"],
  // Containers often forbid mounting /proc; the namespace still ends with its first process.
  ["--pid"],
  ["--user", "--map-current-user", "--pid"],
].map((flags) => [...flags, "--fork", "--kill-child"]);

/**
 * The first process of a namespace receives only signals that it handles, and an agent handles none. So it is a shell,
 * whose end kills all others. It stays in the leader's group, where it can always be reached. The command gets its own
 * session, because its signals to its own group would otherwise reach the leader.
 */
const FIRST_PROCESS = ["/bin/sh", "-c", 'trap : TERM INT HUP; ( exec "$@" ); exit "$?"', "signalbox"];

/** Returns the sandbox, or the reason why it does not work. */
async function tryBubblewrap(bwrap: string | undefined, setsid: string): Promise<Sandbox | string> {
  if (bwrap === undefined) return "bubblewrap is not installed";
  const why = await tryWrapper([bwrap, ...BUBBLEWRAP_PROBE, setsid]);
  if (why !== undefined) return why;
  return {
    name: "bubblewrap",
    confines: { files: true, network: true, processes: true },
    summary: "sandbox: bubblewrap",
    around: (order, sandboxRules) => [bwrap, ...listBubblewrapFlags(order, sandboxRules), setsid],
  };
}

function createNamespaceSandbox(walls: readonly string[], why: string): Sandbox {
  return {
    name: "namespace",
    confines: { files: false, network: false, processes: true },
    summary: `sandbox: processes only, files and network are not confined (${why})`,
    around: () => walls,
  };
}

/** Returns why it does not work as a wrapper of another program; undefined if it does. */
function tryWrapper([program = "", ...args]: readonly string[]): Promise<string | undefined> {
  return new Promise((resolve) => {
    execFile(program, [...args, "/bin/sh", "-c", ":"], { env: {}, timeout: TRIAL_MS }, (error, _stdout, stderr) => {
      const message = stderr.trim().split("\n")[0] || `${program} failed`;
      resolve(error === null ? undefined : message.slice(0, MOST_CHARACTERS));
    });
  });
}

const TRIAL_MS = 5_000;
const MOST_CHARACTERS = 200;
