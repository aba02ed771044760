import type { Pipeline } from "../../core/authoring/pipeline.ts";
import { SignalboxError } from "../../core/failure/errors.ts";
import type { JournalRecord } from "../../core/journal/record.ts";
import { nearest } from "../../core/text/did-you-mean.ts";
import type { Call } from "../call.ts";
import type { Symptom } from "../doctor/symptom.ts";
import { askGit } from "../project/ask-git.ts";
import { findRun } from "../runs/find-run.ts";
import { withRunStore } from "../runs/run-store.ts";

/** What a new run takes over from an older one. */
export type Earlier = {
  readonly run: string;
  readonly phase: string;
  readonly records: readonly JournalRecord[];
  readonly input: unknown;
  readonly base: { readonly commit: string; readonly tree: string };
};

/** `RUN:PHASE`: the run by id or prefix, the phase by its heading or the beginning of it. */
export async function earlierRun(call: Call, pipeline: Pipeline, asked: string): Promise<Earlier> {
  const at = asked.indexOf(":");
  if (at < 1 || at === asked.length - 1) {
    throw new SignalboxError(
      "USAGE",
      `--from "${asked}" names no run and phase.`,
      'Write --from RUN:PHASE, e.g. "a1b2:7".',
    );
  }
  return withRunStore(call, async ({ host, places }) => {
    const row = await findRun(host, places.top, asked.slice(0, at));
    if (row.pipeline !== pipeline.name) {
      throw new SignalboxError(
        "USAGE",
        `The run ${row.id} is one of ${row.pipeline}, not of ${pipeline.name}.`,
        `Only a run of the same pipeline can be taken over: signalbox run ${row.pipeline} --from ${asked}`,
      );
    }
    const records = await host.journal.load(row.id);
    const started = records[0];
    if (started?.type !== "run.started") throw new Error(`the run ${row.id} has no beginning`);
    const phase = phaseOf(pipeline, asked.slice(at + 1).trim());
    return { run: row.id, phase, records, input: started.input, base: started.base };
  });
}

/** What is taken over was made on that commit, so what comes after works there too. Told where the checkout is elsewhere. */
export async function elsewhere({ run, base }: Earlier, top: string): Promise<readonly Symptom[]> {
  const head = await gitLine(top, ["rev-parse", "--verify", "HEAD"]);
  if (head === base.commit) return [];
  const says = `this run works from ${short(base.commit)}, where ${run} began, and not from ${short(head)}, which is checked out now; landing it merges both`;
  return [
    { what: "base", state: "note", says, get: "start without --from, where it is to work from what is there now" },
  ];
}

/** Nobody keeps a commit of which every branch and every run is gone. */
export async function requireCommit({ run, base }: Earlier, top: string): Promise<void> {
  if ((await gitLine(top, ["cat-file", "-t", base.commit])) === "commit") return;
  throw new SignalboxError(
    "USAGE",
    `The run ${run} began at ${short(base.commit)}, and this repository has that commit no more.`,
    "Fetch it again, or start anew without --from.",
  );
}

async function gitLine(top: string, args: readonly string[]): Promise<string> {
  const reply = await askGit(top, args);
  return "out" in reply ? reply.out.trim() : "";
}

const short = (commit: string): string => commit.slice(0, 10);

function phaseOf(pipeline: Pipeline, asked: string): string {
  const titles = pipeline.phases.map((phase) => phase.title);
  const number = (title: string): string => title.split(" ")[0] ?? "";
  const lower = asked.toLowerCase();
  const found =
    titles.find((title) => title === asked) ??
    titles.find((title) => number(title).toLowerCase() === lower) ??
    only(titles.filter((title) => title.toLowerCase().includes(lower)));
  if (found !== undefined) return found;
  const close = nearest(asked, titles);
  throw new SignalboxError(
    "USAGE",
    `${pipeline.name} has no phase "${asked}".${close ? ` Did you mean "${close}"?` : ""}`,
    `Its phases: ${titles.join(", ")}.`,
  );
}

function only<T>(items: readonly T[]): T | undefined {
  return items.length === 1 ? items[0] : undefined;
}
