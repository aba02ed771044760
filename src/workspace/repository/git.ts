import { existsSync } from "node:fs";
import { SignalboxError } from "../../core/failure/errors.ts";
import { createMissingFileError, parseMachineError, toMachineError } from "../../core/failure/machine-failure.ts";
import { createFolderUnreadableError } from "./blocking-files.ts";
import { type EndCause, type GitAnswer, startGit } from "./git-process.ts";
import { toLostObjectError } from "./lost-object.ts";
import { createBlockedError, createTimeoutError } from "./obstacles.ts";
import { findUnwritableFolder } from "./unwritable-folder.ts";

export type GitOptions = {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Settings passed by environment: names may contain any character, unlike with `-c name=value`. */
  readonly config?: Readonly<Record<string, string>>;
  readonly input?: string | Buffer;
  /** Exit codes that are an answer rather than a failure. */
  readonly answers?: readonly number[];
  /** Git is stopped once its output exceeds this. */
  readonly mostBytes?: number;
  /** A folder with content of an agent or a check. Git failures caused by that content name this folder. */
  readonly about?: string;
};

/** Many times what git needs for the largest permitted snapshot or checkout. */
export const MOST_MS = 10 * 60_000;

/** Prevents repository and user settings from making git run a program or wait for one. */
const SAFE = {
  "core.hooksPath": "/dev/null",
  "core.fsmonitor": "false",
  "core.untrackedCache": "false",
  "core.attributesFile": "/dev/null",
  "core.quotePath": "false",
  "core.protectHFS": "true",
  "core.protectNTFS": "true",
  // Objects of a tree id in the journal must survive a power cut; batching costs one flush per call.
  "core.fsync": "committed,reference",
  "core.fsyncMethod": "batch",
  // Two processes with the same order take turns at the ref; by default git gives up after 100 ms.
  "core.filesRefLockTimeout": "10000",
  "gc.auto": "0",
  "maintenance.auto": "false",
  "protocol.file.allow": "never",
  "safe.bareRepository": "explicit",
} as const;

export const SAFE_ARGUMENTS = Object.entries(SAFE).flatMap(([name, value]) => ["-c", `${name}=${value}`]);

/** Runs git without a shell and with our own environment: no `GIT_*` variable of the caller gets through. */
export async function runGit(args: readonly string[], options: GitOptions): Promise<GitAnswer> {
  const cut = args.find((arg) => arg.includes("\0"));
  if (cut !== undefined) throw createNulError(cut);
  const answer = await startSafely([...SAFE_ARGUMENTS, ...args], options);
  if (answer.code === 0 || answer.cut) return answer;
  if (options.about !== undefined && answer.ended)
    throw createUnreadableFolderError(options.about, args[0], answer.ended);
  if (answer.obstacle) throw createBlockedError(args[0] ?? "", answer.obstacle);
  if (answer.ended === "limit") throw createTimeoutError(args[0] ?? "", options.cwd, MOST_MS);
  const machine = parseMachineError(answer.err, await findUnwritableFolder(options));
  if (machine) throw machine;
  const objects = options.env?.["GIT_OBJECT_DIRECTORY"] ?? options.cwd;
  if (!existsSync(objects)) throw createMissingFileError(objects);
  if (options.answers?.includes(answer.code)) return answer;
  const lost = toLostObjectError(answer.err, args);
  if (lost) throw lost;
  throw new SignalboxError(
    "GIT_FAILED",
    `git ${args[0]} failed with exit code ${answer.code} in ${options.cwd}: ${answer.err.trim() || "no output"}`,
    "Read git's message. Usual causes are a full disk, a leftover .lock file or a damaged repository (`git fsck`).",
  );
}

/** Splits NUL-separated output. */
export function splitRecords(out: Buffer): Buffer[] {
  const entries: Buffer[] = [];
  for (let from = 0; from < out.length; ) {
    const end = out.indexOf(0, from);
    entries.push(out.subarray(from, end < 0 ? out.length : end));
    from = end < 0 ? out.length : end + 1;
  }
  return entries;
}

export function getLine(answer: GitAnswer): string {
  return answer.out.toString("utf8").trimEnd();
}

function startSafely(args: readonly string[], options: GitOptions): Promise<GitAnswer> {
  const { cwd, input = "", mostBytes = Number.POSITIVE_INFINITY } = options;
  const order = { args, cwd, input, mostBytes, mostMs: MOST_MS, env: createGitEnvironment(options) };
  return startGit(order).catch((cause: unknown) => {
    // An abort rejects with the reason of its signal.
    throw cause instanceof Error && "syscall" in cause ? createNotStartedError(cause, cwd) : cause;
  });
}

/** Git names and program arguments cannot contain NUL. */
function createNulError(text: string): SignalboxError {
  const message = `${JSON.stringify(text.slice(0, 200))} contains a NUL character, which git does not accept`;
  return new SignalboxError("INPUT_INVALID", message, "Use a name without it.");
}

function createUnreadableFolderError(dir: string, command: string | undefined, ended: EndCause): SignalboxError {
  const how = ended === "limit" ? `did not finish within ${MOST_MS / 60_000} minutes` : `was killed by ${ended}`;
  return createFolderUnreadableError(`git ${command} ${how} because of files in ${dir}`);
}

export function createGitEnvironment({ env, config, about }: GitOptions): Record<string, string> {
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
    // Disables fetching in partial clones: the engine works with local objects.
    GIT_ALLOW_PROTOCOL: "none",
    GIT_CONFIG_COUNT: String(settings.length),
    ...Object.fromEntries(numbered),
    ...(about === undefined ? {} : { GIT_WORK_TREE: about }),
    ...env,
  };
}

function createNotStartedError(cause: Error, cwd: string): SignalboxError {
  const machine = toMachineError(cause);
  if (machine) return machine;
  // The system reports a missing program and a missing folder in the same way.
  if (!existsSync(cwd)) return createMissingFileError(cwd, cause);
  return new SignalboxError(
    "GIT_FAILED",
    `Could not start git in ${cwd}: ${cause.message}`,
    "Install git 2.38 or newer and make sure that it is on PATH.",
    { cause },
  );
}
