import type { Tree } from "../../../core/authoring/tree.ts";
import type { Failure, Outcome } from "../../../core/failure/failure.ts";
import type { TicketContext } from "../context.ts";
import { isBook } from "../files/documents.ts";
import { DOCS } from "../preparing/docs.ts";
import { initializer, ROWS } from "../roles.ts";

type RefreshMode = "REFRESH_IF_REQUIRED" | "INCREMENTAL";
export type RefreshResult = Outcome<{ readonly after: Tree; readonly changed: readonly string[] }>;

type Refresh = {
  readonly tree: Tree;
  readonly mode: RefreshMode;
  /** Files that the work changed, and those that changed the layout. */
  readonly changed?: readonly string[];
  readonly layout?: readonly string[];
};

/** Runs the Initializer on documents that are missing, stale or invalid. May be called in a parallel branch. */
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
  // The engine recomputes the cache, so an agent's copy does no harm.
  const stray = outside.filter((path) => !isBook(path));
  return stray.length === 0
    ? { ok: true, value: { after, changed } }
    : { ok: false, failure: createOutsideFailure(stray) };
}

const createOutsideFailure = (paths: readonly string[]): Failure => ({
  class: "contract",
  code: "write_outside",
  message: `it changed files that it may not write: ${paths.join(", ")}`,
});
