import { execFile } from "node:child_process";
import { machineFailure, machineFailureIn } from "../../core/failure/machine-failure.ts";

export type GitReply = { readonly out: string } | { readonly refused: string };

/**
 * Asks the user's git about a repository that may be anybody's: nothing in its configuration may make git start a
 * program, and what it lacks is not fetched.
 */
export function askGit(dir: string, args: readonly string[]): Promise<GitReply> {
  const env = { ...process.env, GIT_ALLOW_PROTOCOL: "none", GIT_NO_LAZY_FETCH: "1", GIT_OPTIONAL_LOCKS: "0" };
  return new Promise((answer, fail) => {
    execFile("git", ["-C", dir, ...SAFE, ...args], { env, maxBuffer: MOST_BYTES }, (error, out, said) => {
      const machine = error && (machineFailure(error) ?? machineFailureIn(said, dir));
      if (machine) fail(machine);
      else answer(error ? { refused: said.trim().replace(/^fatal: /, "") || error.message } : { out });
    });
  });
}

const SAFE = ["-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "--no-pager", "--no-replace-objects"];
const MOST_BYTES = 1 << 26;
