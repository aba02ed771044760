import type { StreamMessage } from "../../src/surfaces/server/port/documents.ts";

/** The data that a tab displays: the home lists, and runs with the last known record of each. */
export type Subscription = { readonly home: boolean; readonly runs: Readonly<Record<string, number>> };

export type LiveStatus =
  | { readonly live: true }
  | { readonly live: false; readonly since: number; readonly retryAt: number | null; readonly refused: boolean };

export type Stream = {
  readonly want: (wanted: Subscription) => void;
  readonly retry: () => void;
  readonly close: () => void;
};

/** The server sends a message every five seconds. Without one for this long the connection counts as lost. */
const SILENCE_MS = 13_000;
const RETRY_DELAYS_MS = [500, 1000, 2000, 4000, 8000];

/**
 * Opens a connection that reconnects after a loss with the last received records, so that nothing is missed or
 * repeated.
 */
export function openStream(
  token: string,
  tell: { readonly message: (message: StreamMessage) => void; readonly status: (status: LiveStatus) => void },
): Stream {
  let wanted: Subscription = { home: false, runs: {} };
  const seen = new Map<string, number>();
  let connection: AbortController | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let failures = 0;
  let lostAt: number | undefined;

  const handleLoss = (refused: boolean): void => {
    lostAt ??= Date.now();
    const wait = RETRY_DELAYS_MS[Math.min(failures++, RETRY_DELAYS_MS.length - 1)] ?? 8000;
    tell.status({ live: false, since: lostAt, retryAt: refused ? null : Date.now() + wait, refused });
    if (!refused) timer = setTimeout(connect, wait);
  };
  const take = (message: StreamMessage): void => {
    if (message.type === "page") seen.set(message.change.run, message.change.page.seq);
    tell.message(message);
  };
  const connect = async (): Promise<void> => {
    clearTimeout(timer);
    connection?.abort();
    const mine = new AbortController();
    connection = mine;
    const watchdog = createWatchdog(() => mine.abort());
    try {
      const headers = { authorization: `Bearer ${token}` };
      const response = await fetch(`/api/stream?${buildStreamQuery(wanted, seen)}`, { headers, signal: mine.signal });
      if (!response.ok || !response.body) return handleLoss(response.status === 401);
      failures = 0;
      lostAt = undefined;
      tell.status({ live: true });
      await readLines(response.body, (line) => {
        watchdog.beat();
        take(JSON.parse(line) as StreamMessage);
      });
      if (connection === mine) handleLoss(false);
    } catch {
      if (connection === mine) handleLoss(false);
    } finally {
      watchdog.stop();
    }
  };
  return {
    want: (next) => {
      wanted = next;
      for (const [run, seq] of Object.entries(next.runs)) seen.set(run, Math.min(seen.get(run) ?? seq, seq));
      for (const run of seen.keys()) if (!(run in next.runs)) seen.delete(run);
      void connect();
    },
    retry: () => void connect(),
    close: () => {
      clearTimeout(timer);
      const last = connection;
      connection = undefined;
      last?.abort();
    },
  };
}

function buildStreamQuery({ home, runs }: Subscription, seen: ReadonlyMap<string, number>): URLSearchParams {
  const query = new URLSearchParams(home ? [["home", "1"]] : []);
  for (const [run, seq] of Object.entries(runs)) query.append("run", `${run}:${seen.get(run) ?? seq}`);
  return query;
}

function createWatchdog(onTimeout: () => void) {
  let timer = setTimeout(onTimeout, SILENCE_MS);
  return {
    beat: () => {
      clearTimeout(timer);
      timer = setTimeout(onTimeout, SILENCE_MS);
    },
    stop: () => clearTimeout(timer),
  };
}

async function readLines(body: ReadableStream<Uint8Array>, take: (line: string) => void): Promise<void> {
  const decoder = new TextDecoder();
  const reader = body.getReader();
  let rest = "";
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    const lines = (rest + decoder.decode(part.value, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) if (line !== "") take(line);
  }
}
