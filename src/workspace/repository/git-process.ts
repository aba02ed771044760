import { AsyncLocalStorage } from "node:async_hooks";
import { type ChildProcess, spawn } from "node:child_process";
import { atEnd } from "./at-end.ts";
import { type Obstacle, obstacleOf } from "./obstacles.ts";

export type GitOrder = {
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly input: string | Buffer;
  /** Output beyond this is not wanted: git is stopped there. */
  readonly mostBytes: number;
  /** It is ended after so long. */
  readonly mostMs: number;
  /** It is ended, with all that it has started, after it has said nothing for so long. */
  readonly silentMs?: number;
};

/** By whom it was ended: our own limits of time, or a signal that was not ours. */
export type Ended = "limit" | "silence" | NodeJS.Signals;

export type GitAnswer = {
  readonly code: number;
  readonly out: Buffer;
  readonly err: string;
  readonly cut: boolean;
  readonly ended?: Ended;
  /** What it was ended for: it would have waited for this without end. */
  readonly obstacle?: Obstacle;
};

/** Hardly a call takes so long. From then on it is worth looking whether it waits for something. */
const LOOK_AFTER_MS = 2_000;

/** How long one that was told to end may tidy up after itself. */
const GRACE_MS = 2_000;

const owner = new AsyncLocalStorage<AbortSignal>();

/** Every git that is started in the body ends with the signal, whoever starts it there. */
export function ownedBy<T>(signal: AbortSignal, body: () => Promise<T>): Promise<T> {
  return owner.run(signal, body);
}

/** What several wait for is not ended by the signal of the one that happened to begin it. */
export function ownedByNobody<T>(body: () => Promise<T>): Promise<T> {
  return owner.exit(body);
}

/** Rejects with the system's own error where it cannot be started, and with the signal's reason where that came. */
export function startGit({ args, cwd, env, input, mostBytes, mostMs, silentMs }: GitOrder): Promise<GitAnswer> {
  return new Promise((resolve, reject) => {
    const signal = owner.getStore();
    if (signal?.aborted) return reject(signal.reason);
    // Apart from the terminal's group where somebody else ends it: Ctrl-C is the engine's to hear.
    const detached = signal !== undefined || silentMs !== undefined;
    const child = spawn("git", args, { cwd, env, stdio: ["pipe", "pipe", "pipe"], detached });
    const out: Buffer[] = [];
    const errors: Buffer[] = [];
    let left = mostBytes;
    child.on("error", reject);
    // Where the system has no more files to give, there are no pipes either, against what the types say.
    if (!child.stdin || !child.stdout || !child.stderr) return;
    const fate = own(child, { signal, detached, mostMs, silentMs, look: (isOver) => obstacleOf({ cwd, env }, isOver) });
    child.stdout.on("data", (chunk: Buffer) => {
      if (left > 0) out.push(chunk.subarray(0, left));
      left -= chunk.length;
      if (left < 0) child.kill();
    });
    child.stderr.on("data", (chunk: Buffer) => errors.push(chunk));
    child.on("close", (code, by) => {
      if (signal?.aborted && code !== 0) return reject(signal.reason);
      const said = Buffer.concat(errors).toString("utf8");
      const err = by ? `${said}killed by ${by}` : said;
      resolve({ code: code ?? -1, out: Buffer.concat(out), err, cut: left < 0, ...(code === 0 ? {} : why(fate, by)) });
    });
    // git may answer and leave before it has read everything; its exit code tells whether that was fine.
    child.stdin.on("error", () => undefined);
    child.stdin.end(input);
  });
}

type Owner = {
  readonly signal: AbortSignal | undefined;
  readonly detached: boolean;
  readonly mostMs: number;
  readonly silentMs: number | undefined;
  look(isOver: () => boolean): Promise<Obstacle | undefined>;
};

/** Why it was ended by us. */
type Fate = { late?: "limit" | "silence"; obstacle?: Obstacle };

function why({ late, obstacle }: Fate, by: NodeJS.Signals | null): Pick<GitAnswer, "ended" | "obstacle"> {
  const ended = late ?? by;
  return { ...(ended ? { ended } : {}), ...(obstacle ? { obstacle } : {}) };
}

/** Told to end before it is made to: git then takes its locks and half-written files away. */
function own(child: ChildProcess, { signal, detached, mostMs, silentMs, look }: Owner): Fate {
  const fate: Fate = {};
  let patience: NodeJS.Timeout | undefined;
  let over = false;
  const tell = (word: NodeJS.Signals): void => end(child, detached ? "group" : "process", word);
  const stop = (): void => {
    clearTimeout(patience);
    tell("SIGTERM");
    patience = setTimeout(() => {
      tell("SIGKILL");
      // A program that has left its group, as ssh does that keeps a connection, would hold them open.
      for (const stream of [child.stdout, child.stderr]) stream?.destroy();
    }, GRACE_MS);
  };
  const giveUp = (why: "limit" | "silence") => (): void => {
    fate.late ??= why;
    stop();
  };
  const limit = setTimeout(giveUp("limit"), mostMs);
  const silence = silentMs === undefined ? undefined : setTimeout(giveUp("silence"), silentMs);
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", () => !fate.late && silence?.refresh());
  const suspicion = setTimeout(async () => {
    const obstacle = await look(() => over);
    if (over || obstacle === undefined) return;
    fate.obstacle = obstacle;
    stop();
  }, LOOK_AFTER_MS);
  const forget = atEnd(() => tell("SIGTERM"));
  signal?.addEventListener("abort", stop, { once: true });
  child.once("close", () => {
    over = true;
    forget();
    for (const timer of [limit, silence, suspicion]) clearTimeout(timer);
    // What it had started may not have listened; this process does not stay for it.
    if (detached) patience?.unref();
    else clearTimeout(patience);
    signal?.removeEventListener("abort", stop);
  });
  return fate;
}

function end(child: ChildProcess, what: "process" | "group", word: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    process.kill(what === "group" ? -child.pid : child.pid, word);
  } catch {
    // It ended by itself at this moment.
  }
}
