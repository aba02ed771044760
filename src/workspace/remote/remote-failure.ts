import { SignalboxError } from "../../core/failure/errors.ts";
import { machineFailureIn } from "../../core/failure/machine-failure.ts";

export type RemoteCall = {
  readonly deed: "fetch" | "push";
  /** The address, without credentials. */
  readonly shown: string;
  /** What git said. */
  readonly said: string;
  /** Where this machine keeps what is fetched. */
  readonly here: string;
};

/** The same failure meets a run on its way, and one that could not even be submitted. */
const ONWARD = "a run that had begun goes on with `signalbox resume`, and one that had not is started again";

/** What git's words about a remote mean for whoever has to do something about it. */
export function remoteFailure(heard: RemoteCall): SignalboxError {
  const call = { ...heard, said: withoutProgress(heard.said) };
  const { shown, said } = call;
  if (call.deed === "fetch" && LOCKED.test(said)) return lockedHere(call);
  if (NO_REPOSITORY.test(said)) return notARepository(call);
  if (REFUSALS.test(said)) return remoteRefused({ ...call, because: wordsOf(call) });
  const machine = FAR.test(said) ? undefined : machineFailureIn(said, call.here);
  if (machine) return machine;
  return unreachable(shown, wordsOf(call));
}

export function unreachable(shown: string, because: string): SignalboxError {
  return new SignalboxError(
    "REMOTE_UNREACHABLE",
    `The git remote ${shown} could not be reached: ${because}`,
    `What is recorded and committed here stays. When the remote can be reached again, ${ONWARD}.`,
  );
}

export function remoteRefused({ deed, shown, because }: RemoteCall & { readonly because: string }): SignalboxError {
  const wanted = deed === "push" ? "did not take what was pushed" : "let nothing be fetched";
  return new SignalboxError(
    "REMOTE_REFUSED",
    `The git remote ${shown} ${wanted}: ${because}`,
    `Its own git must be able to reach it without a question, and to push to refs/signalbox/ and refs/heads/signalbox/ there: try \`git ls-remote\` and \`git push --dry-run\`. Then ${ONWARD}.`,
  );
}

function notARepository(call: RemoteCall): SignalboxError {
  return new SignalboxError(
    "REMOTE_NOT_A_REPOSITORY",
    `There is no git repository at ${call.shown}: ${wordsOf(call)}`,
    `Correct the remote's address (\`git remote -v\`, or \`remote\` in the configuration), or ask for the right to see it; then ${ONWARD}.`,
  );
}

/** A ref of this clone, and no fault of the remote. */
function lockedHere(call: RemoteCall): SignalboxError {
  return new SignalboxError(
    "GIT_FAILED",
    `git fetched from ${call.shown} and could not set a ref here: ${wordsOf(call)}`,
    `Let the process that has it locked finish, or remove the .lock file that it left; then ${ONWARD}.`,
  );
}

export const LOCKED = /cannot lock ref|unable to update local ref|some local refs could not be updated/;

/** Many hosts say of what somebody may not see that it is not there. */
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

/** The other machine's trouble, and not this one's. */
const FAR = /^remote: |unable to access|Could not read from remote|early EOF|hung up/m;

/** How far it is, with its own or the other machine's work, is no reason of a failure. */
function withoutProgress(said: string): string {
  const rows = said.split("\n").map((row) => row.slice(row.lastIndexOf("\r", row.length - 2) + 1).trimEnd());
  return rows.filter((row) => !PROGRESS.test(row)).join("\n");
}

const PROGRESS =
  /^(?:remote: )?(?:\w+ing [a-z ]+: +\d|Total \d|Delta compression using|From |POST git-)|^ [ *+=-] \[|^remote: *$/;

/** One line of what matters, and nobody's credentials in it. */
function wordsOf({ said }: RemoteCall): string {
  const rows = said
    .replace(/([a-z][a-z0-9+.-]*:\/\/)[^/@\s]*@/gi, "$1")
    .split("\n")
    .map((row) => row.trim())
    .filter((row) => row !== "" && !ADVICE.test(row));
  return rows.slice(-3).join("; ").slice(0, 600) || "it said nothing";
}

const ADVICE = /^(?:hint:|Please make sure|and the repository exists|error: failed to push some refs|To |Done$)/;
