import { execFile } from "node:child_process";
import { SignalboxError } from "../../core/failure/errors.ts";
import type { ProcessOrder, SandboxRules } from "../../core/ports/processes.ts";
import { locate } from "../programs.ts";
import { BUBBLEWRAP_PROBE, bubblewrapFlags } from "./bubblewrap.ts";

export type SandboxMode = "auto" | "required" | "off";

export type Sandbox = {
  readonly name: "bubblewrap" | "namespace" | "none";
  readonly confines: {
    readonly files: boolean;
    readonly network: boolean;
    /** Nothing that it starts outlives it, and nothing of it outlives the engine. */
    readonly processes: boolean;
  };
  /** One line for people and for the journal. */
  readonly summary: string;
  /** Stands before the command. */
  around(order: ProcessOrder, sandboxRules: SandboxRules): readonly string[];
};

/** `auto` takes what there is; its summary says what that does not cover. */
export async function chooseSandbox(mode: SandboxMode, env: NodeJS.ProcessEnv = process.env): Promise<Sandbox> {
  if (mode === "off") return noSandbox("switched off");
  const sandbox = await findSandbox(env);
  if (mode === "auto" || sandbox.confines.files) return sandbox;
  throw new SignalboxError(
    "SANDBOX_MISSING",
    `A sandbox is required, and nothing here can confine files (${sandbox.summary}).`,
    "Install bubblewrap (`bwrap`), allow it user namespaces, or set `sandbox: auto` to run without.",
  );
}

/** What this system can really do: each mechanism is tried once, not only looked for. */
export async function findSandbox(env: NodeJS.ProcessEnv = process.env): Promise<Sandbox> {
  const setsid = locate("setsid", env);
  if (setsid === undefined) return noSandbox("setsid is not installed");
  const best = await tryBubblewrap(locate("bwrap", env), setsid);
  if (typeof best !== "string") return best;
  const unshare = locate("unshare", env);
  for (const flags of unshare === undefined ? [] : NAMESPACES) {
    const walls = [unshare ?? "", ...flags, ...FIRST, setsid];
    if ((await trial(walls)) === undefined) return namespace(walls, best);
  }
  return noSandbox(best);
}

export function noSandbox(why: string): Sandbox {
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
  // Containers often forbid a fresh /proc; the namespace still ends with its first process.
  ["--pid"],
  ["--user", "--map-current-user", "--pid"],
].map((flags) => [...flags, "--fork", "--kill-child"]);

/**
 * The first process of a namespace takes no signal that it has no handler for, and an agent has none. So it is a
 * shell, whose end is the end of all others. Like bubblewrap's own it stays in the leader's group, where it can
 * always be reached; the command gets a session of its own, or its signals to "my group" would reach the leader.
 */
const FIRST = ["/bin/sh", "-c", 'trap : TERM INT HUP; ( exec "$@" ); exit "$?"', "signalbox"];

/** Or why not. */
async function tryBubblewrap(bwrap: string | undefined, setsid: string): Promise<Sandbox | string> {
  if (bwrap === undefined) return "bubblewrap is not installed";
  const why = await trial([bwrap, ...BUBBLEWRAP_PROBE, setsid]);
  if (why !== undefined) return why;
  return {
    name: "bubblewrap",
    confines: { files: true, network: true, processes: true },
    summary: "sandbox: bubblewrap",
    around: (order, sandboxRules) => [bwrap, ...bubblewrapFlags(order, sandboxRules), setsid],
  };
}

function namespace(walls: readonly string[], why: string): Sandbox {
  return {
    name: "namespace",
    confines: { files: false, network: false, processes: true },
    summary: `sandbox: processes only, files and network are open (${why})`,
    around: () => walls,
  };
}

/** Why it does not work as a wrapper of another program; undefined when it does. */
function trial([program = "", ...args]: readonly string[]): Promise<string | undefined> {
  return new Promise((resolve) => {
    execFile(program, [...args, "/bin/sh", "-c", ":"], { env: {}, timeout: TRIAL_MS }, (error, _stdout, stderr) => {
      const said = stderr.trim().split("\n")[0] || `${program} failed`;
      resolve(error === null ? undefined : said.slice(0, MOST_SAID));
    });
  });
}

const TRIAL_MS = 5_000;
const MOST_SAID = 200;
