import { FINISHED } from "../../core/authoring/end.ts";
import type { Host, RunRow } from "../../core/ports/host.ts";
import type { Home, QuestionLine, RunLine } from "../../surfaces/server/port.ts";
import type { PageHead } from "../../views/page/page.ts";
import type { OpenApproval } from "../../views/questions.ts";
import type { RunView } from "../../views/run-view.ts";
import type { KnownRepository } from "../project/known-repositories.ts";
import { postedFor } from "../runs/approvals.ts";
import type { RunStore } from "../runs/run-store.ts";
import type { FollowedRuns } from "./followed-runs.ts";
import type { Stores } from "./stores.ts";

const MOST_RUNNING = 100;
const MOST_RECENT = 30;
/** Whether its work was landed since is asked of git, and not with every look. */
const KEPT_MS = 30_000;

type Listed = { readonly repository: KnownRepository; readonly store: RunStore; readonly row: RunRow };
export type HomeLists = {
  home(version: string): Promise<Home>;
  questions(): Promise<readonly QuestionLine[]>;
  /** What was kept of finished runs may have changed. */
  forget(): void;
};

export function createHomeLists(stores: Stores, followed: FollowedRuns): HomeLists {
  const kept = new Map<string, { readonly line: RunLine; readonly at: number }>();
  const lineOf = async ({ repository, store, row }: Listed): Promise<RunLine> => {
    const now = store.world.now();
    const known = kept.get(row.id);
    if (known && known.line.status === row.status && now - known.at < KEPT_MS) return known.line;
    const line = runLine(repository, await followed.glance({ store, row }));
    if (isFinished(row)) kept.set(row.id, { line, at: now });
    for (const oldest of [...kept.keys()].slice(0, -MOST_RECENT * 4)) kept.delete(oldest);
    return line;
  };
  const questions = async (): Promise<readonly QuestionLine[]> => {
    const all = await Promise.all((await stores.all()).map((each) => questionsIn(stores, followed, each)));
    return all.flat().toSorted((a, b) => a.askedAt - b.askedAt);
  };
  return {
    questions,
    forget: () => kept.clear(),
    async home(version) {
      const repositories = await stores.all();
      const rows = (await Promise.all(repositories.map((each) => rowsIn(stores, each)))).flat();
      const newest = rows.toSorted((a, b) => b.row.createdAt - a.row.createdAt);
      const lines = async (of: readonly Listed[]) => {
        const made: RunLine[] = [];
        for (const each of of) made.push(await lineOf(each));
        return made;
      };
      return {
        v: 1,
        now: Date.now(),
        version,
        needs: await questions(),
        running: await lines(newest.filter(({ row }) => !isFinished(row)).slice(0, MOST_RUNNING)),
        recent: await lines(newest.filter(({ row }) => isFinished(row)).slice(0, MOST_RECENT)),
        repositories: repositories.map(({ id, name }) => ({ id, name })),
      };
    },
  };
}

/** One that cannot be read keeps nobody from seeing the others. */
async function rowsIn(stores: Stores, repository: KnownRepository): Promise<readonly Listed[]> {
  const store = await stores.open(repository.top).catch(() => undefined);
  const rows = await store?.host.runs.list().catch(() => []);
  return store && rows ? rows.map((row) => ({ repository, store, row })) : [];
}

function isFinished({ status }: RunRow): boolean {
  return FINISHED.some((each) => each === status);
}

function runLine({ id }: KnownRepository, head: PageHead): RunLine {
  const { run, repository, pipeline, request, state, status, waitsFor, because, startedAt, lastAt, cost, commits } =
    head;
  const commit = commits.at(-1)?.commit ?? null;
  const { limitUsd: _, ...money } = cost;
  return {
    ...{ run, repository, repositoryId: id, pipeline, request, state, status, waitsFor, because, startedAt, lastAt },
    cost: money,
    commit,
  };
}

async function questionsIn(stores: Stores, followed: FollowedRuns, repository: KnownRepository) {
  const lines: QuestionLine[] = [];
  for (const { store, row } of await rowsIn(stores, repository)) {
    if (isFinished(row)) continue;
    const open = await openQuestions(store.host, row, await followed.view({ store, row }));
    const { request } = open.length === 0 ? { request: "" } : await followed.glance({ store, row });
    for (const { approval: id, title, ts: askedAt } of open) {
      lines.push({ id, run: row.id, repository: repository.name, title, askedAt, pipeline: row.pipeline, request });
    }
  }
  return lines;
}

/** Without those whose answer waits to be read. */
async function openQuestions(host: Host, { id }: RunRow, { open }: RunView): Promise<readonly OpenApproval[]> {
  const letters = open.length === 0 ? [] : await host.inbox.unread(id);
  return open.filter((asked) => !postedFor(asked, letters));
}
