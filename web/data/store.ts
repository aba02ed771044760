import type { Home, StreamMessage } from "../../src/surfaces/server/port/documents.ts";
import { mergeChange } from "../../src/views/page/merge-change.ts";
import type { PageChange, RunPage } from "../../src/views/page/page.ts";
import { ApiError, fetchJson } from "./api.ts";
import type { Connect, Connection } from "./connection.ts";
import type { LiveStatus } from "./stream.ts";

export type Loaded<T> = { readonly value?: T; readonly error?: Error };

export type Store = {
  readonly home: Loaded<Home>;
  readonly pages: ReadonlyMap<string, Loaded<RunPage>>;
  readonly live: LiveStatus;
  /** The server's clock minus the local clock. */
  readonly ahead: number;
};

let state: Store = { home: {}, pages: new Map(), live: { live: true }, ahead: 0 };
const listeners = new Set<() => void>();
const watched = new Map<string, number>();
let connection: Connection | undefined;

export const snapshot = (): Store => state;

export function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function update(next: Partial<Store>): void {
  state = { ...state, ...next };
  for (const listener of listeners) listener();
}

const setPage = (run: string, loaded: Loaded<RunPage>): void =>
  update({ pages: new Map(state.pages).set(run, loaded) });

/** Connects the store. The connection is a parameter, because reports have none. */
export function start(token: string, connect: Connect): void {
  connection = connect(token, { message: take, status: (live) => update({ live }) });
  requestUpdates();
  void load();
}

export const retryNow = (): void => connection?.retry();

async function load(): Promise<void> {
  try {
    take({ type: "home", home: await fetchJson<Home>("/home") });
  } catch (error) {
    update({ home: { ...state.home, error: toError(error) } });
  }
}

function take(message: StreamMessage): void {
  if (message.type === "beat") update({ ahead: message.now - Date.now() });
  else if (message.type === "home") update({ home: { value: message.home }, ahead: message.home.now - Date.now() });
  else if (message.type === "page") applyChange(message.change);
  // Ignores messages of unknown types, which are for newer versions of the page.
}

/** Merges a change. Changes may be repeated or overlap the known page; older ones are ignored. */
function applyChange(next: PageChange): void {
  const known = state.pages.get(next.run)?.value;
  const joins = known ? next.page.seq >= known.seq && next.after <= known.seq : next.after === 0;
  if (joins) setPage(next.run, { value: mergeChange(known, next) });
}

/** Loads a run once and follows it until the returned function is called. */
export function watchRun(run: string): () => void {
  watched.set(run, (watched.get(run) ?? 0) + 1);
  void follow(run);
  return () => {
    const left = (watched.get(run) ?? 1) - 1;
    if (left > 0) watched.set(run, left);
    else {
      watched.delete(run);
      requestUpdates();
    }
  };
}

async function follow(run: string): Promise<void> {
  if (!connection) return;
  try {
    setPage(run, { value: await fetchJson<RunPage>(`/runs/${encodeURIComponent(run)}`) });
  } catch (error) {
    setPage(run, { ...state.pages.get(run), error: toError(error) });
    if (error instanceof ApiError && error.status === 404) return;
  }
  requestUpdates();
}

function requestUpdates(): void {
  const runs = [...watched.keys()].flatMap((run) => {
    const page = state.pages.get(run)?.value;
    return page ? [[run, page.seq] as const] : [];
  });
  connection?.want({ home: true, runs: Object.fromEntries(runs) });
}

const toError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));
