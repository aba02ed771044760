import { execFile } from "node:child_process";
import { SignalboxError } from "../core/errors.ts";
import type { Confinement, ProcessOrder } from "../core/ports/processes.ts";
import { BUBBLEWRAP_PROBE, bubblewrapFlags } from "./bubblewrap.ts";
import { locate } from "./programs.ts";

export type SandboxMode = "auto" | "required" | "off";

export type Sandbox = {
  readonly name: "bubblewrap" | "namespace" | "none";
  readonly confines: {
    readonly files: boolean;
    readonly network: boolean;
    /** It cannot leave processes behind nor see foreign ones as its own. */
    readonly processes: boolean;
    /** It dies with the engine, also when nobody could tell it to. */
    readonly lifetime: boolean;
  };
  /** One line for people and for the journal. */
  readonly summary: string;
  /** Stands before the group's leader. */
  readonly leash: readonly string[];
  /** Stands before the command. */
  around(order: ProcessOrder, confine: Confinement): readonly string[];
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
  const setpriv = locate("setpriv", env);
  const leash = setpriv === undefined ? [] : await firstThatWorks([[setpriv, "--pdeathsig", "KILL"]]);
  const best = await tryBubblewrap(locate("bwrap", env), leash);
  if (typeof best !== "string") return best;
  const unshare = locate("unshare", env);
  const candidates = unshare === undefined || leash.length === 0 ? [] : NAMESPACES.map((flags) => [unshare, ...flags]);
  const walls = await firstThatWorks(candidates);
  return walls.length > 0 ? namespace(walls, leash, best) : noSandbox(best);
}

export function noSandbox(why: string): Sandbox {
  return {
    name: "none",
    confines: { files: false, network: false, processes: false, lifetime: false },
    summary: `sandbox: none (${why})`,
    leash: [],
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
 * shell, whose end is the end of all others.
 */
const FIRST = ["/bin/sh", "-c", 'trap : TERM INT HUP; ( exec "$@" ); exit "$?"', "signalbox"];

/** Or why not. */
async function tryBubblewrap(bwrap: string | undefined, leash: readonly string[]): Promise<Sandbox | string> {
  if (bwrap === undefined) return "bubblewrap is not installed";
  return (await trial([bwrap, ...BUBBLEWRAP_PROBE])) ?? bubblewrap(bwrap, leash);
}

function bubblewrap(bwrap: string, leash: readonly string[]): Sandbox {
  const lifetime = leash.length > 0;
  return {
    name: "bubblewrap",
    confines: { files: true, network: true, processes: true, lifetime },
    summary: `sandbox: bubblewrap${lifetime ? "" : " (without setpriv, so agents outlive an engine that is killed)"}`,
    leash,
    around: (order, confine) => [bwrap, ...bubblewrapFlags(order, confine)],
  };
}

function namespace(walls: readonly string[], leash: readonly string[], why: string): Sandbox {
  return {
    name: "namespace",
    confines: { files: false, network: false, processes: true, lifetime: true },
    summary: `sandbox: processes only, files and network are open (${why})`,
    leash,
    // Unlike bubblewrap it does not by itself die with the leader, so it gets a leash of its own.
    around: () => [...leash, ...walls, ...FIRST],
  };
}

/** Nothing when none does. */
async function firstThatWorks(candidates: readonly (readonly string[])[]): Promise<readonly string[]> {
  for (const candidate of candidates) if ((await trial(candidate)) === undefined) return candidate;
  return [];
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
