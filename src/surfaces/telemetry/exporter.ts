import { measuresOf } from "./measures.ts";
import { metricRequest, traceRequest } from "./otlp.ts";
import type { Span } from "./span.ts";

export type Collector = {
  /** Where `/v1/traces` and `/v1/metrics` are below. */
  readonly endpoint: string;
  readonly headers: Readonly<Record<string, string>>;
};

export type ExporterParts = {
  readonly collector: Collector;
  readonly version: string;
  now(): number;
  /** How much may wait; what comes on top is dropped. */
  readonly most?: number;
};

export type Exporter = {
  add(spans: readonly Span[]): void;
  /** Gives up after so long; what was not sent by then counts as dropped. */
  close(withinMs: number): Promise<{ readonly dropped: number; readonly because: string }>;
};

const MOST_WAITING = 2_048;
const BATCH = 256;
const EVERY_MS = 1_000;
const PATIENCE_MS = 5_000;

/** Sends beside a run what has ended in it. Nobody waits for it, and nothing that goes wrong here goes any further. */
export function createExporter({ collector, version, now, most = MOST_WAITING }: ExporterParts): Exporter {
  const [over, waiting] = [new AbortController(), [] as Span[]];
  let [dropped, because, since] = [0, "", now()];
  let sending: Promise<void> | undefined;

  const post = async (path: string, body: object): Promise<void> => {
    const response = await fetch(`${collector.endpoint.replace(/\/+$/, "")}${path}`, {
      method: "POST",
      headers: { ...collector.headers, "content-type": "application/json" },
      body: JSON.stringify(body),
      // Elsewhere nobody has said that anything may be sent.
      redirect: "error",
      signal: AbortSignal.any([over.signal, AbortSignal.timeout(PATIENCE_MS)]),
    });
    await response.body?.cancel();
    if (!response.ok) throw new Error(`it answered ${response.status}`);
  };
  const send = async (): Promise<void> => {
    while (waiting.length > 0 && !over.signal.aborted) {
      const batch = waiting.splice(0, BATCH);
      try {
        await post("/v1/traces", traceRequest(batch, { version }));
        const measures = measuresOf(batch);
        const [from, to] = [since, now()];
        since = to;
        if (measures.length > 0) await post("/v1/metrics", metricRequest(measures, { version, since: from, now: to }));
      } catch (error) {
        dropped += batch.length;
        because ||= reasonOf(error);
      }
    }
  };
  const kick = (): Promise<void> => {
    sending ??= send().finally(() => {
      sending = undefined;
    });
    return sending;
  };
  const timer = setInterval(() => void kick(), EVERY_MS);
  timer.unref();

  return {
    add(spans) {
      const room = Math.max(0, most - waiting.length);
      waiting.push(...spans.slice(0, room));
      dropped += Math.max(0, spans.length - room);
      if (waiting.length >= BATCH) void kick();
    },
    async close(withinMs) {
      clearInterval(timer);
      const late = setTimeout(() => over.abort(), withinMs);
      await kick();
      // Something may have been added while the last batch was under way.
      await kick();
      clearTimeout(late);
      return { dropped: dropped + waiting.length, because: because || "too much came at once" };
    },
  };
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
}
