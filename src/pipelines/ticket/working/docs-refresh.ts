import type { Failure, Outcome } from "../../core/failure.ts";
import type { Tree } from "../../core/tree.ts";
import type { Desk } from "./desk.ts";
import { DOCS } from "./docs.ts";
import { isBook } from "./documents.ts";
import { initializer, ROWS } from "./roles.ts";

type Mode = "REFRESH_IF_REQUIRED" | "INCREMENTAL";
export type Refreshed = Outcome<{ readonly after: Tree; readonly changed: readonly string[] }>;

/** Only documents that are missing, stale or invalid may be written; may be called in a branch. */
export async function refreshDocs({ attempt, docs, commands, jira }: Desk, tree: Tree, mode: Mode): Promise<Refreshed> {
  const stale = mode === "INCREMENTAL" || docs.refresh.length === 0 ? DOCS : docs.refresh;
  const row = ROWS.Initializer(stale);
  const input = { jira, mode, documents: stale, commands: commands.approved };
  const outcome = await attempt(initializer, input, { in: tree, ...row });
  if (!outcome.ok) return outcome;
  const { after, changed, outside } = outcome.value;
  // The cache is among the books: it is counted anew, so one that the agent wrote does no harm.
  const stray = outside.filter((path) => !isBook(path));
  return stray.length === 0 ? { ok: true, value: { after, changed } } : { ok: false, failure: outsideOf(stray) };
}

const outsideOf = (paths: readonly string[]): Failure => ({
  class: "contract",
  code: "write_outside",
  message: `it changed what it may not: ${paths.join(", ")}`,
});
