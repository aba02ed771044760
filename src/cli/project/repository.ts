import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { SignalboxError } from "../../core/failure/errors.ts";
import { createMissingFileError } from "../../core/failure/machine-failure.ts";
import { askGit } from "./ask-git.ts";
import { addExcludes } from "./git-exclude.ts";
import { makeFolder } from "./make-folder.ts";

/** Paths of Signalbox's files for one repository. */
export type RepositoryPlaces = {
  readonly top: string;
  readonly own: string;
  readonly database: string;
  readonly runs: string;
  /** Output of trial checks, which are not part of a run. */
  readonly trials: string;
  readonly config: string;
  /** This user's settings for this repository; git ignores the file. */
  readonly localConfig: string;
  readonly pipelines: string;
  readonly drivers: string;
  /** Dispatches that wait for an external agent to take them. */
  readonly mailbox: string;
  readonly cache: string;
  /** git's `info/exclude` of this clone, shared by its worktrees. */
  readonly exclude: string;
};

export async function resolvePlaces(dir: string): Promise<RepositoryPlaces> {
  const asked = resolve(dir);
  const [top = "", exclude = ""] = await runRevParse(asked, ["--show-toplevel", "--git-path", "info/exclude"]);
  const own = join(top, ".signalbox");
  accessed.add(top);
  return {
    top,
    own,
    database: join(own, "signalbox.db"),
    runs: join(own, "runs"),
    trials: join(own, "trials"),
    config: join(own, "config.yaml"),
    localConfig: join(own, "config.local.yaml"),
    pipelines: join(own, "pipelines"),
    drivers: join(own, "drivers"),
    mailbox: join(own, "mailbox"),
    cache: join(process.env["XDG_CACHE_HOME"] || join(homedir(), ".cache"), "signalbox"),
    exclude: resolve(asked, exclude),
  };
}

/** Returns the git folders of a checkout: its own and the one shared with other worktrees. */
export async function listGitFolders(dir: string): Promise<readonly string[]> {
  const asked = ["--absolute-git-dir", "--git-common-dir"].map((what) => askGit(dir, ["rev-parse", what]));
  return (await Promise.all(asked)).flatMap((reply) =>
    "out" in reply ? [resolve(dir, reply.out.replace(/\n$/, ""))] : [],
  );
}

/** Repositories that this process has accessed. */
const accessed = new Set<string>();

/** Explains an unexpected error if the repository was moved or removed in the meantime. */
export function explainMissingRepository(cause: unknown): SignalboxError | undefined {
  const gone = [...accessed].find((top) => !existsSync(top));
  return gone === undefined || cause instanceof SignalboxError ? undefined : createMissingFileError(gone, cause);
}

const EXCLUDED = ["/.signalbox/*", "!/.signalbox/config.yaml", "!/.signalbox/pipelines/", "!/.signalbox/drivers/"];

/** Creates the folder and excludes from git what is not shared with the team. */
export async function prepareRepository(places: RepositoryPlaces): Promise<void> {
  // A recursive mkdir would recreate a repository that was moved away.
  if (!existsSync(places.top)) throw createMissingFileError(places.top);
  await makeFolder(places.own);
  await makeFolder(places.cache, 0o700);
  await addExcludes(places, EXCLUDED);
}

/** Lists git output that is separated by NUL. */
export async function listGitLines(top: string, args: readonly string[]): Promise<string[]> {
  const reply = await askGit(top, args);
  if ("out" in reply) return reply.out.split("\0").filter(Boolean);
  throw new SignalboxError(
    "GIT_FAILED",
    `git ${args[0]} failed in ${top}: ${reply.refused}`,
    "Fix what git reports, then run the command again.",
  );
}

async function runRevParse(dir: string, args: readonly string[]): Promise<string[]> {
  if (!existsSync(dir)) throw createNotARepositoryError(dir, "no such directory");
  const reply = await askGit(dir, ["rev-parse", ...args]);
  if ("out" in reply) return reply.out.trimEnd().split("\n");
  throw /dubious ownership/.test(reply.refused)
    ? createForeignOwnerError(dir, reply.refused)
    : createNotARepositoryError(dir, reply.refused);
}

/** git's own safeguard, with the command that git suggests. */
function createForeignOwnerError(dir: string, why: string): SignalboxError {
  const line = /git config --global --add safe\.directory \S.*/.exec(why)?.[0].trim();
  return new SignalboxError(
    "NOT_A_REPOSITORY",
    `${dir} belongs to another user, so git refuses to read it: ${why.split("\n")[0]}`,
    `If you trust it: ${line ?? `git config --global --add safe.directory ${dir}`}`,
  );
}

function createNotARepositoryError(dir: string, why: string): SignalboxError {
  return new SignalboxError(
    "NOT_A_REPOSITORY",
    `${dir} is not a git repository with a checkout: ${why}`,
    "Change to a repository, pass one with -C, or create one: git init && git add . && git commit",
  );
}
