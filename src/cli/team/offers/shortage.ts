import { listMissingLabels } from "../../../hosts/dbos/labels.ts";
import type { TeamHost } from "../../../hosts/dbos/open-team.ts";
import { formatWorkerName } from "../../../hosts/dbos/worker-name.ts";
import { formatSilence, type Holder, isLapsed, isSilent } from "./silent-worker.ts";

type TeamStore = TeamHost["team"];
type WorkerSeen = Awaited<ReturnType<TeamStore["workers"]>>[number];
type TaskSeen = Pick<Awaited<ReturnType<TeamStore["tasks"]>>[number], "kind" | "needs" | "worker">;

/** A task that waits because no worker offers what it needs. */
export type Shortage = {
  readonly of: "run" | "agent";
  readonly needs: readonly string[];
  /** Labels that the best matching worker lacks; all of them if there is no worker. */
  readonly missing: readonly string[];
  readonly workers: readonly { readonly name: string; readonly missing: readonly string[] }[];
};

export type TeamState = {
  readonly tasks: readonly TaskSeen[];
  readonly workers: readonly Pick<WorkerSeen, "machine" | "process" | "labels" | "repo">[];
  readonly repo: string;
};

/** Finds waiting tasks that no live worker can take. */
export function findShortages({ tasks, workers, repo }: TeamState): readonly Shortage[] {
  const ours = workers.filter((worker) => worker.repo === null || worker.repo === repo);
  return tasks
    .filter(({ worker }) => worker === null)
    .flatMap(({ kind, needs }) => {
      const lacking = ours.map((each) => ({
        name: formatWorkerName(each),
        missing: listMissingLabels(needs, each.labels),
      }));
      if (lacking.some(({ missing }) => missing.length === 0)) return [];
      const nearest = lacking.toSorted((a, b) => a.missing.length - b.missing.length)[0];
      const of = kind === "run" ? ("run" as const) : ("agent" as const);
      return [{ of, needs, missing: nearest?.missing ?? needs, workers: lacking }];
    });
}

type SharedStore = { readonly store: TeamStore; readonly name: string };

async function loadTeamState(
  { store, name: repo }: SharedStore,
  run: string,
): Promise<TeamState & Pick<HolderState, "holders">> {
  const [tasks, workers, holders] = await Promise.all([store.tasks(run), store.workers(), store.holders(run)]);
  return { tasks, workers, repo, holders };
}

export async function loadShortages(shared: SharedStore, run: string, now: number): Promise<readonly Shortage[]> {
  const { holders, ...standing } = await loadTeamState(shared, run);
  return findShortages({ ...standing, tasks: releaseLapsed(standing.tasks, { holders, now }) });
}

type HolderState = { readonly holders: readonly Holder[]; readonly now: number };

/** Treats the tasks of a lapsed worker as free. Without a live worker nobody would declare it dead. */
function releaseLapsed(tasks: readonly TaskSeen[], { holders, now }: HolderState): readonly TaskSeen[] {
  const lapsed = new Set(holders.filter((each) => isLapsed(each, now)).map(({ id }) => id));
  return tasks.map((task) => (lapsed.has(task.worker ?? "") ? { ...task, worker: null } : task));
}

/** Describes what a run waits for. Returns undefined if everything is running. */
export async function describeQueue(shared: SharedStore, run: string, now: number): Promise<string | undefined> {
  return describeWait({ ...(await loadTeamState(shared, run)), now });
}

export function describeWait({ holders, now, ...standing }: TeamState & HolderState): string | undefined {
  const [shortage] = findShortages({ ...standing, tasks: releaseLapsed(standing.tasks, { holders, now }) });
  const waiting = standing.tasks.find(({ worker }) => worker === null);
  const room = waiting && `${waiting.kind === "run" ? "it" : "an agent"} waits for a worker with a free slot`;
  const waits = shortage ? formatShortage(shortage) : room;
  const silent = holders.find((each) => isSilent(each, now));
  if (!silent) return waits;
  return formatSilence(silent, { name: formatWorkerName(silent), now, waits });
}

/** Formats `the run needs agent:codex, which no worker offers; there are build-1 (without agent:codex)`. */
export function formatShortage({ of, needs, missing, workers }: Shortage): string {
  const what = of === "run" ? "the run" : "an agent of the run";
  if (workers.length === 0) return `no worker for this repository is running; ${what} needs ${formatLabels(needs)}`;
  const lacking = workers.map((each) => `${each.name} (without ${formatLabels(each.missing)})`).slice(0, MOST);
  const more = workers.length > MOST ? `, and ${workers.length - MOST} more` : "";
  return `${what} needs ${formatLabels(missing)}, which no worker offers; workers: ${lacking.join(", ")}${more}`;
}

const MOST = 5;

function formatLabels(labels: readonly string[]): string {
  return labels.length === 0 ? "no labels" : labels.map(formatLabel).join(" and ");
}

/** Explains labels that identify a pipeline version or a single worker. */
function formatLabel(label: string): string {
  if (label.startsWith("worker:")) return "the worker that has its finished or interrupted work";
  const [, name, code] = /^pipeline:(.+)@(\w+)$/.exec(label) ?? [];
  return name === undefined ? label : `pipeline ${name} in version ${code}`;
}
