import type { StreamMessage } from "../../src/surfaces/server/port/answers.ts";

/** What somebody looks at: the home lists, and runs with the last record that is known of each. */
export type Wanted = { readonly home: boolean; readonly runs: Readonly<Record<string, number>> };

export type LiveStatus =
  | { readonly live: true }
  | { readonly live: false; readonly since: number; readonly retryAt: number | null; readonly refused: boolean };

export type Stream = {
  readonly want: (wanted: Wanted) => void;
  readonly retry: () => void;
  readonly close: () => void;
};

/** The server speaks every five seconds; after this long it is taken for gone. */
const SILENCE_MS = 13_000;
const WAITS_MS = [500, 1000, 2000, 4000, 8000];

/** One connection that is opened again after a loss, with the last records that were seen: no gap, no double. */
export function openStream(
  token: string,
  tell: { readonly message: (message: StreamMessage) => void; readonly status: (status: LiveStatus) => void },
): Stream {
  let wanted: Wanted = { home: false, runs: {} };
  const seen = new Map<string, number>();
  let connection: AbortController | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let failures = 0;
  let lostAt: number | undefined;

  const lost = (refused: boolean): void => {
    lostAt ??= Date.now();
    const wait = WAITS_MS[Math.min(failures++, WAITS_MS.length - 1)] ?? 8000;
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
      const response = await fetch(`/api/stream?${asked(wanted, seen)}`, { headers, signal: mine.signal });
      if (!response.ok || !response.body) return lost(response.status === 401);
      failures = 0;
      lostAt = undefined;
      tell.status({ live: true });
      await eachLine(response.body, (line) => {
        watchdog.beat();
        take(JSON.parse(line) as StreamMessage);
      });
      if (connection === mine) lost(false);
    } catch {
      if (connection === mine) lost(false);
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

function asked({ home, runs }: Wanted, seen: ReadonlyMap<string, number>): URLSearchParams {
  const query = new URLSearchParams(home ? [["home", "1"]] : []);
  for (const [run, seq] of Object.entries(runs)) query.append("run", `${run}:${seen.get(run) ?? seq}`);
  return query;
}

function createWatchdog(bite: () => void) {
  let timer = setTimeout(bite, SILENCE_MS);
  return {
    beat: () => {
      clearTimeout(timer);
      timer = setTimeout(bite, SILENCE_MS);
    },
    stop: () => clearTimeout(timer),
  };
}

async function eachLine(body: ReadableStream<Uint8Array>, take: (line: string) => void): Promise<void> {
  const decoder = new TextDecoder();
  const reader = body.getReader();
  let rest = "";
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    const lines = (rest + decoder.decode(part.value, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) if (line !== "") take(line);
  }
}
