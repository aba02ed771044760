import type { JournalRecord } from "../../core/record.ts";
import { viewOf } from "../../surfaces/terminal/run-view.ts";
import { standingOf } from "../../surfaces/terminal/standing.ts";
import { statusLines } from "../../surfaces/terminal/status-lines.ts";
import { presenceOf, withBook } from "../book.ts";
import type { Call } from "../call.ts";
import { builtInPipelines } from "../pipelines.ts";
import { findRun } from "../runs.ts";

export async function status(call: Call, asked: string | undefined): Promise<number> {
  return withBook(call, async (book) => {
    const { host, places, world } = book;
    const row = await findRun(host, places.top, asked);
    const records = await host.journal.load(row.id);
    const view = viewOf(records, await titlesOf(row.pipeline, records));
    const standing = standingOf(view, await presenceOf(book, row));
    if (call.json) {
      const { end: _end, open, ...facts } = view;
      const waiting = open.map(({ approval, title, choices }) => ({ approval, title, choices }));
      call.emit({ v: 1, ...standing, exit: row.exit, ...facts, waiting });
    } else {
      for (const line of statusLines(call.paint, { view, standing, now: world.now() })) call.print(line);
    }
    return 0;
  });
}

/** A repository's own pipeline is code, which looking must not run: of it, only the phases that were reached are known. */
async function titlesOf(pipeline: string, records: readonly JournalRecord[]): Promise<readonly string[]> {
  const known = (await builtInPipelines()).find((each) => each.pipeline.name === pipeline);
  if (known) return known.pipeline.phases.map((phase) => phase.title);
  return [...new Set(records.flatMap((record) => (record.type === "step.started" ? [record.phase] : [])))];
}
