import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { SignalboxError } from "../core/errors.ts";
import { goneFrom, machineFailure, saidFailure } from "../core/machine-failure.ts";

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
};

export type GitAnswer = { readonly code: number; readonly out: Buffer; readonly err: string; readonly cut: boolean };

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

const SAFE_ARGUMENTS = Object.entries(SAFE).flatMap(([name, value]) => ["-c", `${name}=${value}`]);

/** Runs git itself, never a shell, with an environment of ours: nothing of the caller's `GIT_*` gets through. */
export async function git(args: readonly string[], options: GitOptions): Promise<GitAnswer> {
  const answer = await start([...SAFE_ARGUMENTS, ...args], options);
  if (answer.code === 0 || answer.cut) return answer;
  const machine = saidFailure(answer.err, options.cwd);
  if (machine) throw machine;
  if (options.answers?.includes(answer.code)) return answer;
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
  return new Promise((resolve, reject) => {
    const child = spawn("git", args, { cwd: options.cwd, env: environment(options), stdio: ["pipe", "pipe", "pipe"] });
    const out: Buffer[] = [];
    const errors: Buffer[] = [];
    let left = options.mostBytes ?? Number.POSITIVE_INFINITY;
    child.on("error", (cause) => reject(notStarted(cause, options.cwd)));
    // Where the system has no more files to give, there are no pipes either, against what the types say.
    if (!child.stdin || !child.stdout || !child.stderr) return;
    child.stdout.on("data", (chunk: Buffer) => {
      if (left > 0) out.push(chunk.subarray(0, left));
      left -= chunk.length;
      if (left < 0) child.kill();
    });
    child.stderr.on("data", (chunk: Buffer) => errors.push(chunk));
    child.on("close", (code, signal) => {
      const said = Buffer.concat(errors).toString("utf8");
      const err = signal ? `${said}killed by ${signal}` : said;
      resolve({ code: code ?? -1, out: Buffer.concat(out), err, cut: left < 0 });
    });
    // git may answer and leave before it has read everything; its exit code tells whether that was fine.
    child.stdin.on("error", () => undefined);
    child.stdin.end(options.input ?? "");
  });
}

function environment({ env, config }: GitOptions): Record<string, string> {
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
