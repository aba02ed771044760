import { FINISHED } from "../../core/end.ts";
import { SignalboxError } from "../../core/errors.ts";
import type { Landed } from "../../core/ports/workspace.ts";
import type { JournalRecord } from "../../core/record.ts";
import { gitWorkspace } from "../../workspace/workspace.ts";
import type { Call } from "../call.ts";
import { commitsIn } from "../commit-anchor.ts";
import { checkoutLines, files, pathLines, short } from "../moved-lines.ts";
import { type RunBook, withRun } from "../run-book.ts";

/** Takes a run's work onto the branch that is checked out. */
export async function land(call: Call, asked: string): Promise<number> {
  return withRun(call, asked, async (found) => {
    const { book, row, records } = found;
    const commit = commitToLand(found);
    const workspace = await gitWorkspace({ repo: book.places.top, cache: book.places.cache });
    const landed = await workspace.land({ run: row.id, commit, date: book.world.now(), kept: keptFiles(records) });
    if (landed.status === "conflicts") throw conflicts({ run: row.id, commit, ...landed });
    if (call.json) call.emit({ v: 1, run: row.id, commit, ...landed });
    else for (const line of linesOf(call, row.id, landed)) call.print(line);
    return 0;
  });
}

/** Files that a pipeline keeps in the checkout while it runs: the person's own now, whatever the commit has. */
export function keptFiles(records: readonly JournalRecord[]): readonly string[] {
  const started = records[0];
  const input = started?.type === "run.started" ? started.input : undefined;
  const file = typeof input === "object" && input !== null && "file" in input ? input["file"] : undefined;
  return typeof file === "string" ? [file] : [];
}

/** Only what passed its gates was committed; a run that still goes on may yet commit more. */
function commitToLand({ row, records }: RunBook): string {
  if (!FINISHED.some((status) => status === row.status)) {
    throw new SignalboxError(
      "LAND_REFUSED",
      `The run ${row.id} has not ended: it is ${row.status}${row.reason ? `, ${row.reason}` : ""}.`,
      `See what it waits for with \`signalbox status ${row.id}\`; it lands after its end.`,
    );
  }
  const commit = commitsIn(records).at(-1);
  if (commit !== undefined) return commit;
  throw new SignalboxError(
    "LAND_REFUSED",
    `The run ${row.id} ended as ${row.status} and made no commit: there is nothing to land.`,
    `See why with \`signalbox status ${row.id}\`.`,
  );
}

type Conflict = {
  readonly run: string;
  readonly commit: string;
  readonly branch: string;
  readonly paths: readonly string[];
};

function conflicts({ run, commit, branch, paths }: Conflict): SignalboxError {
  return new SignalboxError(
    "LAND_REFUSED",
    `The run ${run} and ${branch} have changed the same places; nothing was moved:\n${paths.map((path) => `  ${path}`).join("\n")}`,
    `Merge by hand: git merge ${short(commit)}`,
  );
}

function linesOf({ paint }: Call, run: string, landed: Exclude<Landed, { status: "conflicts" }>): readonly string[] {
  const { branch, checkout } = landed;
  if (landed.status === "already") {
    const back = landed.revertedBy;
    return [
      `${paint.green("✓")} ${branch} has the work of ${run} already${back ? `, and took it back in ${short(back)}` : ""}`,
      ...checkoutLines(paint, checkout),
      ...(back ? [`  next: ${paint.cyan(`git revert ${short(back)}`)}  # brings it again`] : []),
    ];
  }
  const how = landed.by === "merge" ? "by a merge commit" : "by moving it forward";
  return [
    `${paint.green("✓")} ${paint.bold(run)} landed on ${paint.bold(branch)} ${how}: ${short(landed.from)} → ${short(landed.to)}, ${files(landed.paths.length)}`,
    ...pathLines(paint, landed.paths),
    ...checkoutLines(paint, checkout),
    paint.dim(`  undo: signalbox revert ${run}`),
  ];
}
