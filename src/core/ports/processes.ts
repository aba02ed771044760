export type ProcessOrder = {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** The whole environment: nothing is inherited. */
  readonly env: Readonly<Record<string, string>>;
  /** Written and closed; without it standard input is empty. */
  readonly stdin?: string;
  /** What the command starts in its turn and a sandbox must leave visible. */
  readonly programs?: readonly string[];
  /** A folder of its own for this process: `stdout`, `stderr` and what a later engine needs to find it again. */
  readonly spool: string;
  /** Put into the environment, so that whatever it starts can be found afterwards. */
  readonly cookie: string;
  readonly limits?: ProcessLimits;
  /** What it may touch, where the system can hold it to that; without it the process may do what we may. */
  readonly sandboxRules?: SandboxRules;
};

/** Absolute paths. Whatever is not named stays visible and cannot be written. */
export type SandboxRules = {
  /** Its own repository, its own home. */
  readonly writable: readonly string[];
  /** Looks empty: the user's home and repository, the engine's state. `writable` and `readable` win inside. */
  readonly hidden: readonly string[];
  /** Shown again inside what is hidden, not writable: borrowed git objects, programs. */
  readonly readable?: readonly string[];
  /** Shown at another place as well, where there is a folder, one after the other. */
  readonly shown?: readonly Shown[];
  /** Inside what is writable and yet not to be changed, nor made where there is nothing yet. */
  readonly readOnly: readonly string[];
  /** `none` leaves it a loopback of its own. */
  readonly network: "none" | "all";
};

/** Not writable there, unless it says so. */
export type Shown = { readonly from: string; readonly at: string; readonly writable?: boolean };

/** Where agent programs, editors and builds take orders from: a tree's own copies are not for its agent to write. */
export const AGENT_SETTINGS: readonly string[] = [
  ".claude",
  ".codex",
  ".gemini",
  ".cursor",
  ".mcp.json",
  ".vscode",
  ".github/workflows",
];

/** Nothing on this machine obeys it, and a person sees every change of it before a commit. */
const BUILD_SERVER = ".github/workflows";

/** What an agent cannot write in its tree. A build server's file that its task names, by name and not by a glob, it can. */
export function keptSettings(writes: readonly string[] = []): readonly string[] {
  const isNamed = writes.some(
    (path) => path.replace(/^\.\//, "").startsWith(`${BUILD_SERVER}/`) && !/[*?[{]/.test(path),
  );
  return AGENT_SETTINGS.filter((path) => !(isNamed && path === BUILD_SERVER));
}

/** The same processes, each held to this; a driver starts them without knowing. */
export function inSandbox(processes: Processes, sandboxRules: SandboxRules): Processes {
  return { ...processes, start: (order) => processes.start({ ...order, sandboxRules }) };
}

export type ProcessLimits = {
  readonly wallMs?: number;
  /** No output for this long, hardly any work of a processor, and no change in its folder. */
  readonly silenceMs?: number;
  readonly outputBytes?: number;
};

/** What an agent is allowed where nobody says otherwise. */
export const AGENT_TIME_LIMITS = { wallMs: 60 * 60_000, silenceMs: 10 * 60_000 } as const;

/** Why we stopped it, where we did: then its exit code means nothing. */
export type StopReason = "canceled" | "timeout" | "silent" | "flood";

export type ProcessExit = {
  readonly code: number | null;
  readonly signal: string | null;
  readonly stopped: StopReason | null;
  readonly ms: number;
  readonly stdoutBytes: number;
  /** The last part of each stream, at most 64 KiB. */
  readonly stdoutTail: string;
  readonly stderrTail: string;
};

export type RunningProcess = {
  readonly pid: number;
  /** Lines of standard output as they are written; longer ones than 1 MiB are cut. */
  lines(): AsyncIterable<string>;
  readonly exited: Promise<ProcessExit>;
  stop(reason: StopReason): Promise<void>;
};

/** Contract: after `exited` has resolved, nothing that carries the cookie is alive. */
export interface Processes {
  /** What those that are given rules are held to; without it to nothing. `processes`: all that it starts ends with it. */
  readonly confines?: { readonly files: boolean; readonly processes: boolean };
  start(order: ProcessOrder): Promise<RunningProcess>;
  /** What a process of an engine that is gone has left in its spool; undefined when it never ended by itself. */
  remains(spool: string): Promise<ProcessExit | undefined>;
  /** False after a restart of the machine: what was written before it may never have reached the disk. */
  intact(spool: string): boolean;
  /** Ends everything that carries the cookie; how many there were. */
  sweep(cookie: string): Promise<number>;
}
