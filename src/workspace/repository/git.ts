import { existsSync } from "node:fs";
import { SignalboxError } from "../../core/failure/errors.ts";
import { goneFrom, machineFailure, machineFailureIn } from "../../core/failure/machine-failure.ts";
import { type Ended, type GitAnswer, startGit } from "./git-process.ts";
import { lostObject } from "./lost-object.ts";
import { notDone, waitsFor } from "./obstacles.ts";
import { unreadable } from "./standstills.ts";
import { suffererOf } from "./sufferer.ts";

export type GitOptions = {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Settings handed over by environment: names may hold any character, which `-c name=value` does not allow. */
  readonly config?: Readonly<Record<string, string>>;
  readonly input?: string | Buffer;
  /** Exit codes that are an answer rather than a failure. */
  readonly answers?: readonly number[];
  /** Output beyond this is not wanted: git is stopped there. */
  readonly mostBytes?: number;
  /** A folder that an agent or a check has filled, to be asked about: git fails over it for what lies there. */
  readonly about?: string;
};

/** Many times what git needs for the largest snapshot that is taken, or checkout that is looked at. */
export const MOST_MS = 10 * 60_000;

/** Nothing that a repository or a person configured may make git run a program or wait for one. */
const SAFE = {
  "core.hooksPath": "/dev/null",
  "core.fsmonitor": "false",
  "core.untrackedCache": "false",
  "core.attributesFile": "/dev/null",
  "core.quotePath": "false",
  "core.protectHFS": "true",
  "core.protectNTFS": "true",
  // A tree id in the journal must still have its objects after a power cut; batched, it costs one flush per call.
  "core.fsync": "committed,reference",
  "core.fsyncMethod": "batch",
  // Two performers of one order take turns at the ref; git would give up after a tenth of a second.
  "core.filesRefLockTimeout": "10000",
  "gc.auto": "0",
  "maintenance.auto": "false",
  "protocol.file.allow": "never",
  "safe.bareRepository": "explicit",
} as const;

export const SAFE_ARGUMENTS = Object.entries(SAFE).flatMap(([name, value]) => ["-c", `${name}=${value}`]);

/** Runs git itself, never a shell, with an environment of ours: nothing of the caller's `GIT_*` gets through. */
export async function git(args: readonly string[], options: GitOptions): Promise<GitAnswer> {
  const cut = args.find((arg) => arg.includes("\0"));
  if (cut !== undefined) throw withNul(cut);
  const answer = await start([...SAFE_ARGUMENTS, ...args], options);
  if (answer.code === 0 || answer.cut) return answer;
  if (options.about !== undefined && answer.ended) throw lostIn(options.about, args[0], answer.ended);
  if (answer.obstacle) throw waitsFor(args[0] ?? "", answer.obstacle);
  if (answer.ended === "limit") throw notDone(args[0] ?? "", options.cwd, MOST_MS);
  const machine = machineFailureIn(answer.err, await suffererOf(options));
  if (machine) throw machine;
  const objects = options.env?.["GIT_OBJECT_DIRECTORY"] ?? options.cwd;
  if (!existsSync(objects)) throw goneFrom(objects);
  if (options.answers?.includes(answer.code)) return answer;
  const lost = lostObject(answer.err, args);
  if (lost) throw lost;
  throw new SignalboxError(
    "GIT_FAILED",
    `git ${args[0]} ended with ${answer.code} in ${options.cwd}: ${answer.err.trim() || "it said nothing"}`,
    "Read what git says: a full disk, a left-over .lock file or a damaged repository (`git fsck`) are the usual causes.",
  );
}

/** The entries of NUL-separated output. */
export function records(out: Buffer): Buffer[] {
  const entries: Buffer[] = [];
  for (let from = 0; from < out.length; ) {
    const end = out.indexOf(0, from);
    entries.push(out.subarray(from, end < 0 ? out.length : end));
    from = end < 0 ? out.length : end + 1;
  }
  return entries;
}

export function line(answer: GitAnswer): string {
  return answer.out.toString("utf8").trimEnd();
}

function start(args: readonly string[], options: GitOptions): Promise<GitAnswer> {
  const { cwd, input = "", mostBytes = Number.POSITIVE_INFINITY } = options;
  const order = { args, cwd, input, mostBytes, mostMs: MOST_MS, env: environment(options) };
  return startGit(order).catch((cause: unknown) => {
    // Who was told to stop says so in the words of who told it.
    throw cause instanceof Error && "syscall" in cause ? notStarted(cause, cwd) : cause;
  });
}

/** No name of git's can hold one, and no program can be given one. */
function withNul(text: string): SignalboxError {
  const message = `${JSON.stringify(text.slice(0, 200))} has a NUL character in it, which git cannot be asked about`;
  return new SignalboxError("INPUT_INVALID", message, "Name it without.");
}

function lostIn(dir: string, command: string | undefined, ended: Ended): SignalboxError {
  const how = ended === "limit" ? `was not done after ${MOST_MS / 60_000} minutes` : `died of ${ended}`;
  return unreadable(`git ${command} ${how} over what lies in ${dir}`);
}

export function environment({ env, config, about }: GitOptions): Record<string, string> {
  const settings = Object.entries(config ?? {});
  const numbered = settings.flatMap(([name, value], at) => [
    [`GIT_CONFIG_KEY_${at}`, name],
    [`GIT_CONFIG_VALUE_${at}`, value],
  ]);
  return {
    PATH: process.env["PATH"] ?? "",
    LC_ALL: "C",
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_ATTR_NOSYSTEM: "1",
    GIT_TERMINAL_PROMPT: "0",
    GIT_OPTIONAL_LOCKS: "0",
    GIT_NO_REPLACE_OBJECTS: "1",
    GIT_LITERAL_PATHSPECS: "1",
    // A partial clone fetches what it lacks by itself: the engine works with what is here.
    GIT_ALLOW_PROTOCOL: "none",
    GIT_CONFIG_COUNT: String(settings.length),
    ...Object.fromEntries(numbered),
    ...(about === undefined ? {} : { GIT_WORK_TREE: about }),
    ...env,
  };
}

function notStarted(cause: Error, cwd: string): SignalboxError {
  const machine = machineFailure(cause);
  if (machine) return machine;
  // The system says the same of a program and of a folder that is not there.
  if (!existsSync(cwd)) return goneFrom(cwd, cause);
  return new SignalboxError(
    "GIT_FAILED",
    `git could not be started in ${cwd}: ${cause.message}`,
    "Install git 2.38 or newer and make sure that it is on PATH.",
    { cause },
  );
}
