import { existsSync } from "node:fs";
import { join } from "node:path";
import type { CheckoutState, Head } from "../../core/authoring/observations.ts";
import { readThroughLinks } from "../../node/checkout-file.ts";
import { line, records } from "../repository/git.ts";
import { findRepository, type Repository } from "../repository/repository.ts";

/** Files that the tool keeps in the checkout are not the user's unfinished work. */
const OWN_FOLDER = ".signalbox/";

/** In this order: a rebase that stopped also leaves the mark of a cherry-pick. */
const OPERATIONS = [
  ["rebase-merge", "rebase"],
  ["rebase-apply", "rebase"],
  ["MERGE_HEAD", "merge"],
  ["CHERRY_PICK_HEAD", "cherry-pick"],
  ["REVERT_HEAD", "revert"],
  ["BISECT_LOG", "bisect"],
] as const;

/** Of a repository that nobody works in: nothing is made for it, so it can be looked at wherever it lies. */
export async function seeCheckout(repo: string): Promise<CheckoutState> {
  return seeState(await findRepository(repo));
}

export async function seeHead(repository: Repository): Promise<Head> {
  const answer = await repository.ask(["rev-parse", "HEAD", "HEAD^{tree}", "--symbolic-full-name", "HEAD"]);
  const [commit = "", tree = "", ref = ""] = line(answer).split("\n");
  return { commit, tree, branch: branchOf(ref) };
}

export async function seeState(repository: Repository): Promise<CheckoutState> {
  const config = { ...(await withoutFilters(repository)), "core.excludesFile": repository.excludesFile };
  const args = ["status", "--porcelain=v2", "-z", "--branch", "--no-ahead-behind", "--no-renames"];
  // A submodule's own files are not looked at: that would run git with the submodule's settings.
  const status = await repository.ask([...args, "--untracked-files=all", "--ignore-submodules=dirty"], { config });
  const lines = records(status.out).map((record) => record.toString("utf8"));
  const name = lines.find((text) => text.startsWith("# branch.head "))?.slice("# branch.head ".length);
  const dirt = lines.filter((text) => !text.startsWith("# ")).map(pathOf);
  return {
    branch: name === undefined || name === "(detached)" ? null : name,
    dirt: dirt.filter((path) => !path.startsWith(OWN_FOLDER)).sort(),
    operation: await seeOperation(repository),
  };
}

function branchOf(ref: string): string | null {
  return ref.startsWith("refs/heads/") ? ref.slice("refs/heads/".length) : null;
}

/**
 * Status compares through clean filters, which are programs. Emptied, git compares the bytes instead:
 * a filtered file that was touched since its checkout then counts as dirt, which errs on the safe side.
 */
export async function withoutFilters(repository: Repository): Promise<Record<string, string>> {
  const asked = ["config", "-z", "--name-only", "--get-regexp", "^filter\\."];
  const answer = await repository.ask(asked, { answers: [1] });
  const drivers = records(answer.out).map((name) => name.toString("utf8").replace(/\.[^.]*$/, ""));
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

/** The path is what follows a fixed number of fields: one for `?`, eight for `1`, ten for `u`. */
function pathOf(entry: string): string {
  const fields = entry.startsWith("?") ? 1 : entry.startsWith("u") ? 10 : 8;
  let at = 0;
  for (let field = 0; field < fields; field++) at = entry.indexOf(" ", at) + 1;
  return entry.slice(at);
}

export async function seeOperation({ gitDir }: Repository): Promise<string | null> {
  const found = OPERATIONS.find(([mark]) => existsSync(join(gitDir, mark)));
  if (found) return found[1];
  // Between two commits of a longer cherry-pick or revert only the list of what is left remains.
  const todo = readThroughLinks(join(gitDir, "sequencer", "todo"));
  if (!todo.ok && todo.gone) return null;
  return todo.ok && todo.text.startsWith("revert") ? "revert" : "cherry-pick";
}
