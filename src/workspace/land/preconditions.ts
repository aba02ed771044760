import { SignalboxError } from "../../core/failure/errors.ts";
import type { CommitRange } from "../read/commit-range.ts";
import { getLine, splitRecords } from "../repository/git.ts";
import type { GitStore } from "../repository/git-store.ts";

const SUBMODULE = "160000";

type PlannedMove = {
  readonly span: CommitRange;
  readonly branch: string;
  /** The command that a person can run instead, with their own settings and programs. */
  readonly command: string;
};

/** Refuses, before anything is moved, changes that cannot be checked out correctly without the user's programs. */
export async function requirePlainMove(store: GitStore, moving: PlannedMove): Promise<void> {
  await requireOneCheckout(store, moving);
  refuseSubmodules(moving);
  await requireDistinctNames(store, moving);
  await refuseFilters(store, moving);
}

async function requireOneCheckout({ repository }: GitStore, { branch, command }: PlannedMove): Promise<void> {
  const { out } = await repository.ask(["worktree", "list", "--porcelain", "-z"]);
  const places = splitRecords(out).filter((row) => row.toString("utf8") === `branch refs/heads/${branch}`);
  if (places.length < 2) return;
  throw new SignalboxError(
    "LAND_REFUSED",
    `Branch ${branch} is checked out in ${places.length} worktrees, and only one of them would be updated`,
    `Switch the others to another branch, then try again; manually: ${command}`,
  );
}

function refuseSubmodules({ span: range, branch, command }: PlannedMove): void {
  const modules = range.changes.filter(({ was, is }) => was?.mode === SUBMODULE || is?.mode === SUBMODULE);
  if (modules.length === 0) return;
  throw new SignalboxError(
    "LAND_REFUSED",
    `Submodules would change on ${branch}, and Signalbox does not update their repositories: ${formatNames(modules)}`,
    `Do it by hand: ${command} && git submodule update`,
  );
}

/** On a case-insensitive file system, a checkout can contain only one of two such files. */
async function requireDistinctNames(store: GitStore, { span: range, branch, command }: PlannedMove): Promise<void> {
  const asked = ["config", "--type=bool", "--get", "core.ignoreCase"];
  if (getLine(await store.repository.ask(asked, { answers: [1] })) !== "true") return;
  const sides = await Promise.all([listPaths(store, range.from), listPaths(store, range.to)]);
  // Compares both sides: removing one of two such files would delete the other too.
  const seen = Map.groupBy(new Set(sides.flat()), foldPath);
  const clashing = range.changes.filter(({ path }) => (seen.get(foldPath(path))?.length ?? 0) > 1);
  if (clashing.length === 0) return;
  throw new SignalboxError(
    "CASE_CLASH",
    `Names that differ only in case would change on ${branch}, and this file system cannot distinguish them: ${formatNames(clashing)}`,
    `Rename one of them, then try again; manually: ${command}`,
  );
}

async function listPaths(store: GitStore, commit: string): Promise<string[]> {
  const { out } = await store.ask(["ls-tree", "-r", "-z", "--name-only", "--full-tree", commit]);
  return splitRecords(out).map((record) => record.toString("utf8"));
}

/** Large-file storage and similar: a program of the user creates the files, and only the user may run it. */
async function refuseFilters(store: GitStore, { span: range, command }: PlannedMove): Promise<void> {
  const input = range.changes.filter(({ is }) => is !== undefined).map(({ path }) => `${path}\0`);
  if (input.length === 0) return;
  const { repository } = store;
  const filtered = await store.withIndex(async (index) => {
    const env = { GIT_INDEX_FILE: index };
    await store.ask(["read-tree", range.to], { env });
    const given = ["-c", `core.attributesFile=${repository.lineEnds["core.attributesFile"] ?? "/dev/null"}`];
    const args = [...given, "check-attr", "-z", "--cached", "--stdin", "filter"];
    const fields = splitRecords((await repository.ask(args, { env, input: input.join("") })).out);
    return fields.flatMap((field, at) =>
      at % 3 === 2 && isFilterDriver(field) ? [fields[at - 2]?.toString("utf8")] : [],
    );
  });
  if (filtered.length === 0) return;
  throw new SignalboxError(
    "FILTER_NEEDED",
    `One of your git filters (LFS, encryption) creates these files, and Signalbox runs no repository programs: ${filtered.join(", ")}`,
    `Do it by hand, with your own settings: ${command}`,
  );
}

function isFilterDriver(value: Buffer): boolean {
  return !["unspecified", "unset", "set", ""].includes(value.toString("utf8"));
}

function foldPath(path: string): string {
  return path.normalize("NFC").toLowerCase();
}

function formatNames(changes: readonly { readonly path: string }[]): string {
  return changes.map(({ path }) => path).join(", ");
}
