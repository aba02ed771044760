import { parseMachineError, toMachineError } from "../../core/failure/machine-failure.ts";
import { MOST_MS } from "../../workspace/repository/git.ts";
import { type GitAnswer, startGit } from "../../workspace/repository/git-process.ts";
import { createBlockedError, createTimeoutError } from "../../workspace/repository/obstacles.ts";

export type GitReply = { readonly out: string } | { readonly refused: string };

/**
 * Runs the user's git on a repository that may be hostile: its configuration cannot make git start a program, missing
 * objects are not fetched, and nothing in it blocks the call.
 */
export async function askGit(dir: string, args: readonly string[]): Promise<GitReply> {
  const order = { args: [...SAFE, ...args], cwd: dir, input: "", mostBytes: MOST_BYTES, mostMs: MOST_MS };
  const answer = await startGit({ ...order, env: createGitEnvironment() }).catch((cause: unknown): GitAnswer => {
    const machine = toMachineError(cause);
    if (machine || !(cause instanceof Error)) throw machine ?? cause;
    return { code: -1, out: Buffer.alloc(0), err: cause.message, cut: false };
  });
  if (answer.code === 0) return { out: answer.out.toString("utf8") };
  const command = args.find((arg) => /^[a-z]/.test(arg)) ?? "";
  if (answer.obstacle) throw createBlockedError(command, answer.obstacle);
  if (answer.ended === "limit") throw createTimeoutError(command, dir, MOST_MS);
  const machine = parseMachineError(answer.err, dir);
  if (machine) throw machine;
  return { refused: answer.cut ? TOO_LONG : answer.err.trim().replace(/^fatal: /, "") || `git ${command} failed` };
}

function createGitEnvironment(): Record<string, string> {
  const inherited = Object.entries(process.env).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value]],
  );
  const own = { GIT_ALLOW_PROTOCOL: "none", GIT_NO_LAZY_FETCH: "1", GIT_OPTIONAL_LOCKS: "0" };
  return { ...Object.fromEntries(inherited), ...own };
}

const SAFE = ["-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "--no-pager", "--no-replace-objects"];
const MOST_BYTES = 1 << 26;
const TOO_LONG = `its output exceeds ${MOST_BYTES} bytes`;
