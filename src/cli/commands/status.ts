import type { RunRow } from "../../core/ports/host.ts";
import type { AgentView } from "../../surfaces/terminal/dispatch-view.ts";
import type { ViewFold } from "../../surfaces/terminal/run-view.ts";
import { standingOf } from "../../surfaces/terminal/standing.ts";
import { statusLines } from "../../surfaces/terminal/status-lines.ts";
import { type Book, presenceOf, withBook } from "../book.ts";
import type { Call } from "../call.ts";
import { foldRun } from "../run-fold.ts";
import { findRun } from "../runs.ts";
import { readNotes } from "../start-notes.ts";

export async function status(call: Call, asked: string | undefined): Promise<number> {
  return withBook(call, async (book) => {
    const { host, places, world } = book;
    const row = await findRun(host, places.top, asked);
    const fold = await foldRun(host, row.id);
    const seen = fold.view(await titlesOf(book, row, fold));
    const view = { ...seen, agents: await withPatience(book, row, seen.agents) };
    const standing = standingOf(view, await presenceOf(book, row));
    if (call.json) {
      const { end: _end, open, ...facts } = view;
      const waiting = open.map(({ approval, title, show, choices }) => ({ approval, title, show, choices }));
      call.emit({ v: 1, ...standing, exit: row.exit, ...facts, waiting });
    } else {
      for (const line of statusLines(call.paint, { view, standing, now: world.now() })) call.print(line);
    }
    return 0;
  });
}

/** Only where somebody is at work: reading the configuration takes as long as all the rest. */
async function withPatience(book: Book, row: RunRow, agents: readonly AgentView[]): Promise<readonly AgentView[]> {
  if (agents.length === 0) return agents;
  const { withSilence } = await import("../silence.ts");
  return withSilence(book, { run: row.id, pipeline: row.pipeline }, agents);
}

/** Looking must not run a repository's own code: without notes, only the phases that were reached are known. */
async function titlesOf(book: Book, row: RunRow, fold: ViewFold): Promise<readonly string[]> {
  const notes = await readNotes(book.places, row.id);
  if (notes) return notes.phases;
  const { builtInPipelines } = await import("../pipelines.ts");
  const known = (await builtInPipelines()).find((each) => each.pipeline.name === row.pipeline);
  if (known) return known.pipeline.phases.map((phase) => phase.title);
  return fold.reached();
}
