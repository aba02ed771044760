import type { Tree } from "../../../core/authoring/tree.ts";
import type { Failure, Outcome } from "../../../core/failure/failure.ts";
import type { TicketContext } from "../context.ts";
import { isBook } from "../files/documents.ts";
import { DOCS } from "../preparing/docs.ts";
import { initializer, ROWS } from "../roles.ts";

type Mode = "REFRESH_IF_REQUIRED" | "INCREMENTAL";
export type RefreshResult = Outcome<{ readonly after: Tree; readonly changed: readonly string[] }>;

type Refresh = {
  readonly tree: Tree;
  readonly mode: Mode;
  /** After the work: the files that it changed, and what of that moved the layout. */
  readonly changed?: readonly string[];
  readonly layout?: readonly string[];
};

/** Only documents that are missing, stale or invalid may be written; may be called in a branch. */
export async function refreshDocs(
  { attempt, docs, commands, jira }: TicketContext,
  { tree, mode, changed: work, layout }: Refresh,
): Promise<RefreshResult> {
  const stale = mode === "INCREMENTAL" || docs.refresh.length === 0 ? DOCS : docs.refresh;
  const row = ROWS.Initializer(stale);
  const since = { ...(work ? { changed: work } : {}), ...(layout?.length ? { layout } : {}) };
  const input = { jira, mode, documents: stale, commands: commands.approved, ...since };
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
