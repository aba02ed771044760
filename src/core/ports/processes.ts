export type ProcessOrder = {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** Complete environment. Nothing is inherited. */
  readonly env: Readonly<Record<string, string>>;
  /** Input that is written before standard input is closed. Default: empty. */
  readonly stdin?: string;
  /** Programs that the command starts and a sandbox must leave visible. */
  readonly programs?: readonly string[];
  /** Separate folder for this process: `stdout`, `stderr` and the data with which a later engine finds it. */
  readonly spool: string;
  /** Value in the environment by which descendants are found later. */
  readonly cookie: string;
  readonly limits?: ProcessLimits;
  /** Access limits, if the system can enforce them. Absent: the process has our permissions. */
  readonly sandboxRules?: SandboxRules;
};

/** Absolute paths. Every other path stays visible and read-only. */
export type SandboxRules = {
  /** The attempt's own repository and home. */
  readonly writable: readonly string[];
  /**
   * Paths that appear empty: the user's home and repository, the engine's state. `writable` and `readable` paths inside
   * take precedence.
   */
  readonly hidden: readonly string[];
  /** Read-only paths that are visible inside hidden ones: borrowed git objects, programs. */
  readonly readable?: readonly string[];
  /** Additional mount points for existing folders, applied in order. */
  readonly shown?: readonly SandboxMount[];
  /** Read-only paths inside writable ones. They cannot be created either. */
  readonly readOnly: readonly string[];
  /** `none` leaves only a separate loopback interface. */
  readonly network: "none" | "all";
};

/** Read-only unless `writable` is set. */
export type SandboxMount = { readonly from: string; readonly at: string; readonly writable?: boolean };

/** Settings from which agent programs, editors and builds take orders. An agent cannot write the copies in its tree. */
export const AGENT_SETTINGS: readonly string[] = [
  ".claude",
  ".codex",
  ".gemini",
  ".cursor",
  ".mcp.json",
  ".vscode",
  ".github/workflows",
];

/** Not executed on this machine, and a person sees every change of it before a commit. */
const BUILD_SERVER = ".github/workflows";

/**
 * Lists what an agent cannot write in its tree. A build server file is excluded if the task names it exactly; a glob is
 * not enough.
 */
export function listProtectedSettings(writes: readonly string[] = []): readonly string[] {
  const isNamed = writes.some(
    (path) => path.replace(/^\.\//, "").startsWith(`${BUILD_SERVER}/`) && !/[*?[{]/.test(path),
  );
  return AGENT_SETTINGS.filter((path) => !(isNamed && path === BUILD_SERVER));
}

/** Wraps the processes so that each one runs with these rules. Drivers do not see the difference. */
export function wrapInSandbox(processes: Processes, sandboxRules: SandboxRules): Processes {
  return { ...processes, start: (order) => processes.start({ ...order, sandboxRules }) };
}

export type ProcessLimits = {
  readonly wallMs?: number;
  /** Time without output, with almost no CPU use and no change in its folder. */
  readonly silenceMs?: number;
  readonly outputBytes?: number;
};

/** Default time limits of an agent. */
export const AGENT_TIME_LIMITS = { wallMs: 60 * 60_000, silenceMs: 10 * 60_000 } as const;

/** Reason why the engine stopped it. The exit code is then meaningless. */
export type StopReason = "canceled" | "timeout" | "silent" | "flood";

export type ProcessExit = {
  readonly code: number | null;
  readonly signal: string | null;
  readonly stopped: StopReason | null;
  readonly ms: number;
  readonly stdoutBytes: number;
  /** Last part of each stream, at most 64 KiB. */
  readonly stdoutTail: string;
  readonly stderrTail: string;
};

export type RunningProcess = {
  readonly pid: number;
  /** Lines of standard output as they are written. Lines over 1 MiB are truncated. */
  lines(): AsyncIterable<string>;
  readonly exited: Promise<ProcessExit>;
  stop(reason: StopReason): Promise<void>;
};

/**
 * Starts, ends and finds processes.
 *
 * Contract: after `exited` has resolved, no process that carries the cookie is alive.
 */
export interface Processes {
  /**
   * Limits that are enforced for processes with rules. Absent: none. `processes`: all descendants end with the process.
   */
  readonly confines?: { readonly files: boolean; readonly processes: boolean };
  start(order: ProcessOrder): Promise<RunningProcess>;
  /** Reads the result of a process of an earlier engine from its spool; undefined if it never ended by itself. */
  remains(spool: string): Promise<ProcessExit | undefined>;
  /** Returns false after a restart of the machine, because earlier writes may never have reached the disk. */
  intact(spool: string): boolean;
  /** Terminates every process that carries the cookie and returns their number. */
  sweep(cookie: string): Promise<number>;
}
