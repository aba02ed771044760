import { PREFLIGHT } from "../../core/authoring/preflight.ts";
import type { WriteResult } from "../../core/authoring/verbs.ts";
import type { JournalRecord } from "../../core/journal/record.ts";
import type { Run } from "../run.ts";
import { escapeKeyPart } from "./scope.ts";

/**
 * Restores files of the checkout for a run that was forked from another run: before its first own step, files get the
 * text that they had then, unless they were changed since. Returns undefined if there is nothing to restore.
 */
export function restoreFiles(run: Run, key: string): Promise<void> | undefined {
  if (!run.started.from || isPreflight(key) || hasOwnSteps(run)) return undefined;
  run.bringing ??= restoreFromRun(run, run.started.from.run);
  return run.bringing;
}

/** Parallel branches start their first steps together: all of them wait for the same restore. */
async function restoreFromRun(run: Run, older: string): Promise<void> {
  const files = run.state.written.entries();
  const records = files.length > 0 ? await run.host.journal.load(older) : [];
  for (const [path, text] of files) {
    const ifHash = findLastHash(records, path);
    if (ifHash === undefined) continue;
    const request = { path, text, to: "checkout" as const, ifHash };
    await run.effect("start", { id: `${run.id}/from/${escapeKeyPart(path)}@1`, run: run.id, kind: "write", request });
  }
}

/** An engine of this run was further already: the files are the run's own by now. */
function hasOwnSteps({ history, started }: Run): boolean {
  const last = started.from?.seq ?? 0;
  return history.records.some(({ seq, ...record }) => seq > last && "key" in record && !isPreflight(record.key));
}

function findLastHash(records: readonly JournalRecord[], path: string): string | undefined {
  const name = `/${escapeKeyPart(path)}`;
  const writes = new Set(
    records.flatMap((each) => (each.type === "step.started" && each.verb === "write" ? [each.key] : [])),
  );
  const ends = records.flatMap((each) =>
    each.type === "step.finished" && writes.has(each.key) && each.key.replace(/#\d+$/, "").endsWith(name) ? [each] : [],
  );
  // The value of this verb, as the engine has recorded it.
  const results = ends.map(({ value }) => value as WriteResult);
  return results.findLast(({ refused }) => refused === undefined)?.hash;
}

const isPreflight = (key: string): boolean => key.startsWith(`${PREFLIGHT}/`);
