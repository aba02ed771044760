import { AsyncLocalStorage } from "node:async_hooks";
import { type ChildProcess, spawn } from "node:child_process";
import { registerCleanup } from "./exit-cleanup.ts";
import { findObstacle, type GitObstacle } from "./obstacles.ts";

export type GitOrder = {
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly input: string | Buffer;
  /** Git is stopped once its output exceeds this. */
  readonly mostBytes: number;
  /** Time limit. */
  readonly mostMs: number;
  /** Git and its child processes are ended after this time without output. */
  readonly silentMs?: number;
};

/** The cause of its end: one of our time limits, or a foreign signal. */
export type EndCause = "limit" | "silence" | NodeJS.Signals;

export type GitAnswer = {
  readonly code: number;
  readonly out: Buffer;
  readonly err: string;
  readonly cut: boolean;
  readonly ended?: EndCause;
  /** The file that git would have waited for without end. */
  readonly obstacle?: GitObstacle;
};

/** Longer than almost every call; from then on it checks for a blocking file. */
const LOOK_AFTER_MS = 2_000;

/** How long git may clean up after SIGTERM. */
const GRACE_MS = 2_000;

const owner = new AsyncLocalStorage<AbortSignal>();

/** Ends every git process started in the body when the signal fires. */
export function runOwned<T>(signal: AbortSignal, body: () => Promise<T>): Promise<T> {
  return owner.run(signal, body);
}

/** Detaches the body from the caller's signal, for work that several callers wait for. */
export function runUnowned<T>(body: () => Promise<T>): Promise<T> {
  return owner.exit(body);
}

/** Rejects with the system's error if git cannot be started, and with the signal's reason after an abort. */
export function startGit({ args, cwd, env, input, mostBytes, mostMs, silentMs }: GitOrder): Promise<GitAnswer> {
  return new Promise((resolve, reject) => {
    const signal = owner.getStore();
    if (signal?.aborted) return reject(signal.reason);
    // In its own process group if the engine ends it, so that Ctrl-C reaches only the engine.
    const detached = signal !== undefined || silentMs !== undefined;
    const child = spawn("git", args, { cwd, env, stdio: ["pipe", "pipe", "pipe"], detached });
    const out: Buffer[] = [];
    const errors: Buffer[] = [];
    let left = mostBytes;
    child.on("error", reject);
    // Pipes are missing if there are no free file descriptors, contrary to the types.
    if (!child.stdin || !child.stdout || !child.stderr) return;
    const fate = superviseChild(child, {
      signal,
      detached,
      mostMs,
      silentMs,
      look: (isOver) => findObstacle({ cwd, env }, isOver),
    });
    child.stdout.on("data", (chunk: Buffer) => {
      if (left > 0) out.push(chunk.subarray(0, left));
      left -= chunk.length;
      if (left < 0) child.kill();
    });
    child.stderr.on("data", (chunk: Buffer) => errors.push(chunk));
    child.on("close", (code, by) => {
      if (signal?.aborted && code !== 0) return reject(signal.reason);
      const stderr = Buffer.concat(errors).toString("utf8");
      const err = by ? `${stderr}killed by ${by}` : stderr;
      resolve({
        code: code ?? -1,
        out: Buffer.concat(out),
        err,
        cut: left < 0,
        ...(code === 0 ? {} : formatFate(fate, by)),
      });
    });
    // Git may exit before it has read all input; its exit code tells whether that was an error.
    child.stdin.on("error", () => undefined);
    child.stdin.end(input);
  });
}

type ProcessOwner = {
  readonly signal: AbortSignal | undefined;
  readonly detached: boolean;
  readonly mostMs: number;
  readonly silentMs: number | undefined;
  look(isOver: () => boolean): Promise<GitObstacle | undefined>;
};

/** The reason why we ended it. */
type Fate = { late?: "limit" | "silence"; obstacle?: GitObstacle };

function formatFate({ late, obstacle }: Fate, by: NodeJS.Signals | null): Pick<GitAnswer, "ended" | "obstacle"> {
  const ended = late ?? by;
  return { ...(ended ? { ended } : {}), ...(obstacle ? { obstacle } : {}) };
}

/** SIGTERM before SIGKILL, so that git removes its locks and partial files. */
function superviseChild(child: ChildProcess, { signal, detached, mostMs, silentMs, look }: ProcessOwner): Fate {
  const fate: Fate = {};
  let patience: NodeJS.Timeout | undefined;
  let over = false;
  const signalGit = (word: NodeJS.Signals): void => signalChild(child, detached ? "group" : "process", word);
  const stop = (): void => {
    clearTimeout(patience);
    signalGit("SIGTERM");
    patience = setTimeout(() => {
      signalGit("SIGKILL");
      // A program outside the group, such as an ssh connection master, would hold them open.
      for (const stream of [child.stdout, child.stderr]) stream?.destroy();
    }, GRACE_MS);
  };
  const endLate = (cause: "limit" | "silence") => (): void => {
    fate.late ??= cause;
    stop();
  };
  const limit = setTimeout(endLate("limit"), mostMs);
  const silence = silentMs === undefined ? undefined : setTimeout(endLate("silence"), silentMs);
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", () => !fate.late && silence?.refresh());
  const suspicion = setTimeout(async () => {
    const obstacle = await look(() => over);
    if (over || obstacle === undefined) return;
    fate.obstacle = obstacle;
    stop();
  }, LOOK_AFTER_MS);
  const forget = registerCleanup(() => signalGit("SIGTERM"));
  signal?.addEventListener("abort", stop, { once: true });
  child.once("close", () => {
    over = true;
    forget();
    for (const timer of [limit, silence, suspicion]) clearTimeout(timer);
    // Remaining child processes may ignore the signal; this process does not wait for them.
    if (detached) patience?.unref();
    else clearTimeout(patience);
    signal?.removeEventListener("abort", stop);
  });
  return fate;
}

function signalChild(child: ChildProcess, what: "process" | "group", word: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    process.kill(what === "group" ? -child.pid : child.pid, word);
  } catch {
    // It has exited already.
  }
}
