import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { FINISHED } from "../../core/end.ts";
import { SignalboxError } from "../../core/errors.ts";
import type { RunRow } from "../../core/ports/host.ts";
import type { Collected, Disposable, Sizes } from "../../core/ports/workspace.ts";
import { table } from "../../surfaces/terminal/table.ts";
import { gitWorkspace } from "../../workspace/workspace.ts";
import { type Book, withBook } from "../book.ts";
import { bytesText } from "../bytes.ts";
import type { Call } from "../call.ts";
import { commitsIn } from "../commit-anchor.ts";
import { askYes } from "../person.ts";

export type GcFlags = { readonly dryRun?: boolean; readonly yes?: boolean };

/** Shows what the runs of this repository keep, and removes what a branch holds as well. */
export async function gc(call: Call, flags: GcFlags): Promise<number> {
  return withBook(
    call,
    async (book) => {
      const workspace = await gitWorkspace({ repo: book.places.top, cache: book.places.cache });
      const rows = await book.host.runs.list();
      const runs = await disposable(book, rows);
      const planned = await workspace.gc({ runs, dryRun: true });
      const kept = await keptOf(book, rows, await workspace.sizes());
      if (!call.json) for (const line of planLines(call, kept, planned)) call.print(line);
      const goes = planned.removed.length > 0 && (await agreed(call, flags));
      const done = goes ? await workspace.gc({ runs, dryRun: false }) : planned;
      if (call.json) call.emit({ v: 1, dryRun: !goes, ...done, runs: kept.runs, cache: kept.cache });
      else call.print(goes ? `${call.paint.green("✓")} removed, ${bytesText(done.bytes)} freed` : NOTHING);
      return 0;
    },
    () => {
      if (call.json) call.emit({ v: 1, dryRun: true, removed: [], kept: [], bytes: 0, runs: [], cache: 0 });
      else call.print("There are no runs here, and so nothing to remove.");
      return 0;
    },
  );
}

const NOTHING = "Nothing was removed.";

async function agreed(call: Call, flags: GcFlags): Promise<boolean> {
  if (flags.dryRun) return false;
  if (flags.yes) return true;
  if (call.terminal) return askYes("Remove it?", { otherwise: false });
  throw new SignalboxError("USAGE", "gc removes nothing without a yes.", "Add --yes, or look first with --dry-run.");
}

async function disposable({ host }: Book, rows: readonly RunRow[]): Promise<readonly Disposable[]> {
  const ended = rows.filter((row) => FINISHED.some((status) => status === row.status));
  return Promise.all(
    ended.map(async ({ id: run }) => {
      const commit = commitsIn(await host.journal.load(run)).at(-1);
      return commit === undefined ? { run } : { run, commit };
    }),
  );
}

type KeptRun = {
  readonly run: string;
  readonly status: string;
  readonly refs: number;
  readonly bytes: number;
  readonly folder: number;
};
type Kept = { readonly runs: readonly KeptRun[]; readonly cache: number; readonly attempts: Sizes["attempts"] };

async function keptOf({ places }: Book, rows: readonly RunRow[], sizes: Sizes): Promise<Kept> {
  const runs = await Promise.all(
    rows.map(async ({ id: run, status }) => {
      const { refs = 0, bytes = 0 } = sizes.runs.find((each) => each.run === run) ?? {};
      return { run, status, refs, bytes, folder: await bytesBelow(join(places.runs, run)) };
    }),
  );
  return { runs, cache: sizes.cache, attempts: sizes.attempts };
}

async function bytesBelow(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const sizes = await Promise.all(
    entries
      .filter((entry) => entry.isFile())
      .map(async (entry) => (await stat(join(entry.parentPath, entry.name)).catch(() => undefined))?.size ?? 0),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

function planLines({ paint }: Call, { runs, cache, attempts }: Kept, planned: Collected): readonly string[] {
  const head = ["RUN", "STATUS", "SNAPSHOTS", "TRANSCRIPTS", ""].map((text) => ({ text, painted: paint.dim(text) }));
  const body = runs.map(({ run, status, bytes, folder }) => {
    const stays = planned.kept.find(({ what }) => what.includes(run))?.because;
    const goes = planned.removed.some((what) => what.includes(run));
    const fate = goes ? "snapshots may go" : stays ? `stay: ${stays}` : "";
    return [
      { text: run, painted: paint.bold(run) },
      { text: status },
      { text: bytesText(bytes) },
      { text: bytesText(folder) },
      { text: fate, painted: goes ? paint.green(fate) : paint.dim(fate) },
    ];
  });
  const left = attempts.filter(({ alive }) => !alive);
  return [
    ...table([head, ...body]),
    paint.dim(`engine's own git directory ${bytesText(cache)} · ${left.length} folders left by dead attempts`),
    planned.removed.length === 0
      ? "All of it is the only copy of something, or in use."
      : `${planned.removed.length} refs and folders may go, about ${bytesText(planned.bytes)}; a branch holds the same work.`,
  ];
}
