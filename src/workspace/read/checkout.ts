import { existsSync } from "node:fs";
import { join } from "node:path";
import type { CheckoutState, Head } from "../../core/authoring/observations.ts";
import { readThroughLinks } from "../../node/checkout-file.ts";
import { getLine, splitRecords } from "../repository/git.ts";
import { findRepository, type Repository } from "../repository/repository.ts";

/** Signalbox's own files in the checkout are not the user's uncommitted work. */
const OWN_FOLDER = ".signalbox/";

/** The order matters: a stopped rebase also leaves CHERRY_PICK_HEAD. */
const OPERATIONS = [
  ["rebase-merge", "rebase"],
  ["rebase-apply", "rebase"],
  ["MERGE_HEAD", "merge"],
  ["CHERRY_PICK_HEAD", "cherry-pick"],
  ["REVERT_HEAD", "revert"],
  ["BISECT_LOG", "bisect"],
] as const;

/** Reads a repository without creating anything for it. */
export async function readCheckoutState(repo: string): Promise<CheckoutState> {
  return readState(await findRepository(repo));
}

export async function readCheckoutHead(repository: Repository): Promise<Head> {
  const answer = await repository.ask(["rev-parse", "HEAD", "HEAD^{tree}", "--symbolic-full-name", "HEAD"]);
  const [commit = "", tree = "", ref = ""] = getLine(answer).split("\n");
  return { commit, tree, branch: parseBranch(ref) };
}

export async function readState(repository: Repository): Promise<CheckoutState> {
  const config = { ...(await disableFilters(repository)), "core.excludesFile": repository.excludesFile };
  const args = ["status", "--porcelain=v2", "-z", "--branch", "--no-ahead-behind", "--no-renames"];
  // Ignores changes inside submodules: checking them would run git with the submodule's settings.
  const status = await repository.ask([...args, "--untracked-files=all", "--ignore-submodules=dirty"], { config });
  const lines = splitRecords(status.out).map((record) => record.toString("utf8"));
  const name = lines.find((text) => text.startsWith("# branch.head "))?.slice("# branch.head ".length);
  const dirt = lines.filter((text) => !text.startsWith("# ")).map(parseStatusPath);
  return {
    branch: name === undefined || name === "(detached)" ? null : name,
    dirt: dirt.filter((path) => !path.startsWith(OWN_FOLDER)).sort(),
    operation: await readOperation(repository),
  };
}

function parseBranch(ref: string): string | null {
  return ref.startsWith("refs/heads/") ? ref.slice("refs/heads/".length) : null;
}

/**
 * Status runs clean filters, which are programs. With empty filters git compares bytes instead: a filtered file that
 * was touched since its checkout then counts as dirty, which is the safe direction.
 */
export async function disableFilters(repository: Repository): Promise<Record<string, string>> {
  const asked = ["config", "-z", "--name-only", "--get-regexp", "^filter\\."];
  const answer = await repository.ask(asked, { answers: [1] });
  const drivers = splitRecords(answer.out).map((name) => name.toString("utf8").replace(/\.[^.]*$/, ""));
  const emptied = new Set(drivers);
  return Object.fromEntries(
    [...emptied].flatMap((driver) => [
      [`${driver}.clean`, ""],
      [`${driver}.smudge`, ""],
      [`${driver}.process`, ""],
      [`${driver}.required`, "false"],
    ]),
  );
}

/** The path follows a fixed number of fields: one for `?`, eight for `1`, ten for `u`. */
function parseStatusPath(entry: string): string {
  const fields = entry.startsWith("?") ? 1 : entry.startsWith("u") ? 10 : 8;
  let at = 0;
  for (let field = 0; field < fields; field++) at = entry.indexOf(" ", at) + 1;
  return entry.slice(at);
}

export async function readOperation({ gitDir }: Repository): Promise<string | null> {
  const found = OPERATIONS.find(([mark]) => existsSync(join(gitDir, mark)));
  if (found) return found[1];
  // Between two commits of a longer cherry-pick or revert, only the todo list exists.
  const todo = readThroughLinks(join(gitDir, "sequencer", "todo"));
  if (!todo.ok && todo.gone) return null;
  return todo.ok && todo.text.startsWith("revert") ? "revert" : "cherry-pick";
}
