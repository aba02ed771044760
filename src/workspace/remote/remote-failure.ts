import { SignalboxError } from "../../core/failure/errors.ts";
import { parseMachineError } from "../../core/failure/machine-failure.ts";

export type RemoteCall = {
  readonly deed: "fetch" | "push";
  /** The address, without credentials. */
  readonly shown: string;
  /** Git's output. */
  readonly output: string;
  /** The local folder for fetched objects. */
  readonly here: string;
};

/** Covers a run that was interrupted and one that was not submitted yet. */
const RESUME_HINT = "resume an interrupted run with `signalbox resume`, or start a new one again";

/** Translates git's message about a remote into an error with a fix. */
export function toRemoteError(failed: RemoteCall): SignalboxError {
  const call = { ...failed, output: dropProgress(failed.output) };
  const { shown, output } = call;
  if (call.deed === "fetch" && LOCKED.test(output)) return createRefLockedError(call);
  if (NO_REPOSITORY.test(output)) return createNotARepositoryError(call);
  if (REFUSALS.test(output)) return createRemoteRefusedError({ ...call, because: formatOutput(call) });
  const machine = FAR_SIDE.test(output) ? undefined : parseMachineError(output, call.here);
  if (machine) return machine;
  return createRemoteUnreachableError(shown, formatOutput(call));
}

export function createRemoteUnreachableError(shown: string, because: string): SignalboxError {
  return new SignalboxError(
    "REMOTE_UNREACHABLE",
    `Could not reach the git remote ${shown}: ${because}`,
    `Recorded and committed work is kept. When the remote is reachable again, ${RESUME_HINT}.`,
  );
}

export function createRemoteRefusedError({
  deed,
  shown,
  because,
}: RemoteCall & { readonly because: string }): SignalboxError {
  const wanted = deed === "push" ? "rejected the push" : "refused the fetch";
  return new SignalboxError(
    "REMOTE_REFUSED",
    `The git remote ${shown} ${wanted}: ${because}`,
    `git must be able to reach it without prompting and to push to refs/signalbox/ and refs/heads/signalbox/: try \`git ls-remote\` and \`git push --dry-run\`. Then ${RESUME_HINT}.`,
  );
}

function createNotARepositoryError(call: RemoteCall): SignalboxError {
  return new SignalboxError(
    "REMOTE_NOT_A_REPOSITORY",
    `No git repository at ${call.shown}: ${formatOutput(call)}`,
    `Correct the remote's address (\`git remote -v\`, or \`remote\` in the configuration), or request access to it; then ${RESUME_HINT}.`,
  );
}

/** A ref of this clone is locked; the remote is fine. */
function createRefLockedError(call: RemoteCall): SignalboxError {
  return new SignalboxError(
    "GIT_FAILED",
    `git fetched from ${call.shown} but could not update a local ref: ${formatOutput(call)}`,
    `Wait for the process that has locked it, or remove the .lock file that it left; then ${RESUME_HINT}.`,
  );
}

export const LOCKED = /cannot lock ref|unable to update local ref|some local refs could not be updated/;

/** Many hosts report repositories that a user may not see as missing. */
const NO_REPOSITORY =
  /does not appear to be a git repository|[Rr]epository .*(?:not found|does not exist)|project you were looking for could not be found|Not a git repository/;

const REFUSALS = new RegExp(
  [
    "Authentication failed",
    "could not read (?:Username|Password)",
    "Permission denied \\(",
    "Host key verification failed",
    "returned error: 40[13]",
    "remote rejected",
    "pre-receive hook declined",
    "dubious ownership",
    "access denied",
    "not authori[sz]ed",
    "unable to (?:create temporary object directory|migrate objects)",
    "unpack(?:er)? error",
    "error: remote unpack failed",
  ].join("|"),
  "i",
);

/** The remote's problem, not this machine's. */
const FAR_SIDE = /^remote: |unable to access|Could not read from remote|early EOF|hung up/m;

/** Drops progress lines of either side, which are no reason for a failure. */
function dropProgress(output: string): string {
  const rows = output.split("\n").map((row) => row.slice(row.lastIndexOf("\r", row.length - 2) + 1).trimEnd());
  return rows.filter((row) => !PROGRESS.test(row)).join("\n");
}

const PROGRESS =
  /^(?:remote: )?(?:\w+ing [a-z ]+: +\d|Total \d|Delta compression using|From |POST git-)|^ [ *+=-] \[|^remote: *$/;

/** Returns the last relevant lines as one, without credentials. */
function formatOutput({ output }: RemoteCall): string {
  const rows = output
    .replace(/([a-z][a-z0-9+.-]*:\/\/)[^/@\s]*@/gi, "$1")
    .split("\n")
    .map((row) => row.trim())
    .filter((row) => row !== "" && !ADVICE.test(row));
  return rows.slice(-3).join("; ").slice(0, 600) || "no output";
}

const ADVICE = /^(?:hint:|Please make sure|and the repository exists|error: failed to push some refs|To |Done$)/;
