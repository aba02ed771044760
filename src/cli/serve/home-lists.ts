import { FINISHED } from "../../core/authoring/end.ts";
import { SignalboxError } from "../../core/failure/errors.ts";
import { toMachineError } from "../../core/failure/machine-failure.ts";
import type { Host, RunRow } from "../../core/ports/host.ts";
import type { Home, QuestionLine, RunLine, UnreadableRepository } from "../../surfaces/server/port/documents.ts";
import type { PageHead } from "../../views/page/page.ts";
import type { OpenApproval } from "../../views/questions.ts";
import type { RunView } from "../../views/run-view.ts";
import type { KnownRepository } from "../project/known-repositories.ts";
import { findPostedAnswer } from "../runs/questions/approvals.ts";
import type { RunStore } from "../runs/run-store.ts";
import type { FollowedRuns } from "./followed-runs.ts";
import type { Stores } from "./stores.ts";

const MOST_RUNNING = 100;
const MOST_RECENT = 30;
/** Cache duration, so that git is not asked on every request if the work was landed. */
const KEPT_MS = 30_000;

type CachedLine = { readonly store: RunStore; readonly line: RunLine; readonly at: number };
type ListedRun = { readonly repository: KnownRepository; readonly store: RunStore; readonly row: RunRow };
export type HomeLists = {
  home(version: string): Promise<Home>;
  questions(): Promise<readonly QuestionLine[]>;
  /** Clears the cache of finished runs after a change. */
  forget(): void;
};

export function createHomeLists(stores: Stores, followed: FollowedRuns): HomeLists {
  const cache = new Map<string, CachedLine>();
  const loadRunLine = async ({ repository, store, row }: ListedRun): Promise<RunLine> => {
    const now = store.world.now();
    const known = cache.get(row.id);
    // A reopened store may differ, so its cached line is not used.
    const holds = known?.store === store && known.line.status === row.status && now - known.at < KEPT_MS;
    if (known && holds) return known.line;
    const line = toRunLine(repository, await followed.glance({ store, row }));
    if (isFinished(row)) cache.set(row.id, { store, line, at: now });
    for (const oldest of [...cache.keys()].slice(0, -MOST_RECENT * 4)) cache.delete(oldest);
    return line;
  };
  const listQuestions = async (
    listed: readonly ListedRun[],
    pass: RepositoryPass,
  ): Promise<readonly QuestionLine[]> => {
    const open = listed.filter(({ row }) => !isFinished(row));
    const lines = await pass.each(open, (each) => listRunQuestions(followed, each));
    return lines.flat().toSorted((a, b) => a.askedAt - b.askedAt);
  };
  return {
    async questions() {
      const pass = createRepositoryPass();
      return listQuestions(await listRows(stores, await stores.all(), pass), pass);
    },
    forget: () => cache.clear(),
    async home(version) {
      const pass = createRepositoryPass();
      const repositories = await stores.all();
      const listed = await listRows(stores, repositories, pass);
      const newest = listed.toSorted((a, b) => b.row.createdAt - a.row.createdAt);
      const finished = newest.filter(({ row }) => isFinished(row));
      const open = newest.filter(({ row }) => !isFinished(row));
      const needs = await listQuestions(listed, pass);
      const running = await pass.each(open.slice(0, MOST_RUNNING), loadRunLine);
      const recent = await pass.each(finished.slice(0, MOST_RECENT), loadRunLine);
      return {
        ...{ v: 1, now: Date.now(), version, needs, running, recent },
        repositories: repositories.map(({ id, name }) => ({ id, name })),
        unreadable: deduplicate(
          repositories.flatMap(({ id }) => pass.unreadable.get(id) ?? []),
          (each) => JSON.stringify(each),
        ),
      };
    },
  };
}

/** A pass over all repositories. What cannot be read is reported and does not hide the rest. */
type RepositoryPass = {
  readonly unreadable: ReadonlyMap<string, UnreadableRepository>;
  each<From extends { readonly repository: KnownRepository }, To>(
    items: readonly From[],
    read: (item: From) => Promise<To>,
  ): Promise<readonly To[]>;
};

function createRepositoryPass(): RepositoryPass {
  const unreadable = new Map<string, UnreadableRepository>();
  const away = new Set<string>();
  const note = ({ id, name }: KnownRepository, error: unknown): void => {
    if (error instanceof SignalboxError && error.code === "DATABASE_UNREACHABLE") away.add(id);
    if (!unreadable.has(id)) unreadable.set(id, { repository: name, because: explainError(error) });
  };
  return {
    unreadable,
    async each(items, read) {
      const done = [];
      for (const item of items) {
        // Skips further runs of an unreachable server instead of waiting for it each time.
        if (away.has(item.repository.id)) continue;
        try {
          done.push(await read(item));
        } catch (error) {
          note(item.repository, error);
        }
      }
      return done;
    },
  };
}

/** Messages not meant for users may contain an address with its password, so they are replaced with a command. */
function explainError(error: unknown): string {
  const failure = toMachineError(error) ?? error;
  return failure instanceof SignalboxError && failure.code !== "INTERNAL"
    ? `${failure.message.replace(/\.?$/, ".")} ${failure.hint}`
    : "Its runs could not be read. Run `signalbox ps` there to see the reason.";
}

/** Two clones of a repository list the same team runs. */
function deduplicate<T>(items: readonly T[], name: (item: T) => string): readonly T[] {
  return [...new Map(items.map((item) => [name(item), item])).values()];
}

async function listRows(stores: Stores, repositories: readonly KnownRepository[], pass: RepositoryPass) {
  const read = async ({ repository }: { readonly repository: KnownRepository }): Promise<readonly ListedRun[]> => {
    const store = await stores.open(repository.top);
    const rows = (await store?.host.runs.list()) ?? [];
    return store ? rows.map((row) => ({ repository, store, row })) : [];
  };
  // Reads all repositories concurrently, so that a slow one does not delay the others.
  const found = await Promise.all(repositories.map((repository) => pass.each([{ repository }], read)));
  return deduplicate(found.flat(2), ({ row }) => row.id);
}

function isFinished({ status }: RunRow): boolean {
  return FINISHED.some((each) => each === status);
}

function toRunLine({ id }: KnownRepository, head: PageHead): RunLine {
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

async function listRunQuestions(
  followed: FollowedRuns,
  { repository, store, row }: ListedRun,
): Promise<readonly QuestionLine[]> {
  const open = await listUnansweredQuestions(store.host, row, await followed.view({ store, row }));
  const { request } = open.length === 0 ? { request: "" } : await followed.glance({ store, row });
  return open.map(({ approval: id, title, ts: askedAt }) => ({
    ...{ id, run: row.id, repository: repository.name, title, askedAt, pipeline: row.pipeline, request },
  }));
}

/** Omits questions whose answer is posted but not read yet. */
async function listUnansweredQuestions(
  host: Host,
  { id }: RunRow,
  { open }: RunView,
): Promise<readonly OpenApproval[]> {
  const messages = open.length === 0 ? [] : await host.inbox.unread(id);
  return open.filter((asked) => !findPostedAnswer(asked, messages));
}
