import { missingLabels } from "../../hosts/dbos/labels.ts";
import type { TeamHost } from "../../hosts/dbos/open-team.ts";

type TeamStore = TeamHost["team"];
type WorkerSeen = Awaited<ReturnType<TeamStore["workers"]>>[number];
type TaskSeen = Pick<Awaited<ReturnType<TeamStore["tasks"]>>[number], "kind" | "needs" | "worker">;

/** Something of a run that waits for a worker which nobody is. */
export type Shortage = {
  readonly of: "run" | "agent";
  readonly needs: readonly string[];
  /** What the nearest of them lacks; all of it, where there is none. */
  readonly missing: readonly string[];
  readonly workers: readonly { readonly name: string; readonly missing: readonly string[] }[];
};

export type Standing = {
  readonly tasks: readonly TaskSeen[];
  readonly workers: readonly Pick<WorkerSeen, "id" | "machine" | "labels" | "repo">[];
  readonly repo: string;
};

/** What waits and can be taken by none of those who live. */
export function shortagesOf({ tasks, workers, repo }: Standing): readonly Shortage[] {
  const ours = workers.filter((worker) => worker.repo === null || worker.repo === repo);
  return tasks
    .filter(({ worker }) => worker === null)
    .flatMap(({ kind, needs }) => {
      const lacking = ours.map((each) => ({ name: nameAmong(ours, each), missing: missingLabels(needs, each.labels) }));
      if (lacking.some(({ missing }) => missing.length === 0)) return [];
      const nearest = lacking.toSorted((a, b) => a.missing.length - b.missing.length)[0];
      const of = kind === "run" ? ("run" as const) : ("agent" as const);
      return [{ of, needs, missing: nearest?.missing ?? needs, workers: lacking }];
    });
}

type Named = Pick<WorkerSeen, "id" | "machine">;

/** By its machine; two of one machine also by the beginning of their ids. */
function nameAmong(workers: readonly Named[], { id, machine }: Named): string {
  const alone = workers.filter((each) => each.machine === machine).length === 1;
  return alone ? machine : `${machine}/${id.slice(0, SHORT)}`;
}

const SHORT = 8;

export async function shortagesNow({ store, name }: { readonly store: TeamStore; readonly name: string }, run: string) {
  const [tasks, workers] = await Promise.all([store.tasks(run), store.workers()]);
  return shortagesOf({ tasks, workers, repo: name });
}

/** What of a run waits, and why; undefined where all of it is under way. */
export async function queuedText(
  { store, name }: { readonly store: TeamStore; readonly name: string },
  run: string,
): Promise<string | undefined> {
  const [tasks, workers] = await Promise.all([store.tasks(run), store.workers()]);
  const [shortage] = shortagesOf({ tasks, workers, repo: name });
  if (shortage) return shortageText(shortage);
  const waiting = tasks.find(({ worker }) => worker === null);
  if (!waiting) return undefined;
  return waiting.kind === "run" ? "it waits for a worker with room" : "an agent waits for a worker with room";
}

/** `nobody offers agent:codex; workers of this repository: build-1, build-2` */
export function shortageText({ of, needs, missing, workers }: Shortage): string {
  const what = of === "run" ? "the run" : "an agent of the run";
  if (workers.length === 0) return `no worker of this repository is there; ${what} needs ${listed(needs)}`;
  const lacking = workers.map((each) => `${each.name} (without ${listed(each.missing)})`).slice(0, MOST);
  const more = workers.length > MOST ? `, and ${workers.length - MOST} more` : "";
  return `${what} needs ${listed(missing)}, which no worker offers; there are ${lacking.join(", ")}${more}`;
}

const MOST = 5;

function listed(labels: readonly string[]): string {
  return labels.length === 0 ? "nothing in particular" : labels.map(named).join(" and ");
}

/** A version of a pipeline that nobody has is told as one. */
function named(label: string): string {
  const [, name, code] = /^pipeline:(.+)@(\w+)$/.exec(label) ?? [];
  return name === undefined ? label : `the pipeline ${name} in this version (${code})`;
}
