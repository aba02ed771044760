import { SignalboxError } from "../../core/failure/errors.ts";
import type { CommitRange } from "../read/commit-range.ts";
import { line, records } from "../repository/git.ts";
import type { Store } from "../repository/store.ts";

const SUBMODULE = "160000";

type PlannedMove = {
  readonly span: CommitRange;
  readonly branch: string;
  /** What a person can do by hand instead, with their own settings and programs. */
  readonly command: string;
};

/** Refuses, before anything is moved, what a checkout without the user's programs cannot show faithfully. */
export async function needsPlain(store: Store, moving: PlannedMove): Promise<void> {
  await needsOneCheckout(store, moving);
  needsNoSubmodule(moving);
  await needsDistinctNames(store, moving);
  await needsNoFilter(store, moving);
}

async function needsOneCheckout({ repository }: Store, { branch, command }: PlannedMove): Promise<void> {
  const { out } = await repository.ask(["worktree", "list", "--porcelain", "-z"]);
  const places = records(out).filter((row) => row.toString("utf8") === `branch refs/heads/${branch}`);
  if (places.length < 2) return;
  throw new SignalboxError(
    "LAND_REFUSED",
    `Branch ${branch} is checked out in ${places.length} places, and the others would not follow`,
    `Leave it in one of them, then try again; by hand: ${command}`,
  );
}

function needsNoSubmodule({ span: range, branch, command }: PlannedMove): void {
  const modules = range.changes.filter(({ was, is }) => was?.mode === SUBMODULE || is?.mode === SUBMODULE);
  if (modules.length === 0) return;
  throw new SignalboxError(
    "LAND_REFUSED",
    `Submodules would change on ${branch}, and their own repositories are not ours to move: ${names(modules)}`,
    `Do it by hand: ${command} && git submodule update`,
  );
}

/** Where the file system takes two names for one, a checkout can show only one of the files. */
async function needsDistinctNames(store: Store, { span: range, branch, command }: PlannedMove): Promise<void> {
  const asked = ["config", "--type=bool", "--get", "core.ignoreCase"];
  if (line(await store.repository.ask(asked, { answers: [1] })) !== "true") return;
  const sides = await Promise.all([pathsOf(store, range.from), pathsOf(store, range.to)]);
  // Of both sides: removing one of two such files would take the other along.
  const seen = Map.groupBy(new Set(sides.flat()), folded);
  const clashing = range.changes.filter(({ path }) => (seen.get(folded(path))?.length ?? 0) > 1);
  if (clashing.length === 0) return;
  throw new SignalboxError(
    "CASE_CLASH",
    `On ${branch} names would change that differ only in case, which this file system cannot tell apart: ${names(clashing)}`,
    `Rename one of them, then try again; by hand: ${command}`,
  );
}

async function pathsOf(store: Store, commit: string): Promise<string[]> {
  const { out } = await store.ask(["ls-tree", "-r", "-z", "--name-only", "--full-tree", commit]);
  return records(out).map((record) => record.toString("utf8"));
}

/** Large-file storage and the like: what belongs on disk is made by a program of the user's, which is theirs to run. */
async function needsNoFilter(store: Store, { span: range, command }: PlannedMove): Promise<void> {
  const input = range.changes.filter(({ is }) => is !== undefined).map(({ path }) => `${path}\0`);
  if (input.length === 0) return;
  const { repository } = store;
  const filtered = await store.withIndex(async (index) => {
    const env = { GIT_INDEX_FILE: index };
    await store.ask(["read-tree", range.to], { env });
    const given = ["-c", `core.attributesFile=${repository.lineEnds["core.attributesFile"] ?? "/dev/null"}`];
    const args = [...given, "check-attr", "-z", "--cached", "--stdin", "filter"];
    const fields = records((await repository.ask(args, { env, input: input.join("") })).out);
    return fields.flatMap((field, at) => (at % 3 === 2 && isDriver(field) ? [fields[at - 2]?.toString("utf8")] : []));
  });
  if (filtered.length === 0) return;
  throw new SignalboxError(
    "FILTER_NEEDED",
    `A filter of yours (LFS, encryption) makes these files, and the engine runs no programs of a repository: ${filtered.join(", ")}`,
    `Do it by hand, with your own settings: ${command}`,
  );
}

function isDriver(value: Buffer): boolean {
  return !["unspecified", "unset", "set", ""].includes(value.toString("utf8"));
}

function folded(path: string): string {
  return path.normalize("NFC").toLowerCase();
}

function names(changes: readonly { readonly path: string }[]): string {
  return changes.map(({ path }) => path).join(", ");
}
