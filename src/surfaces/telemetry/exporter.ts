import { toMetrics } from "./metrics.ts";
import { buildMetricRequest, buildTraceRequest } from "./otlp.ts";
import type { Span } from "./span.ts";

export type Collector = {
  /** Base URL of `/v1/traces` and `/v1/metrics`. */
  readonly endpoint: string;
  readonly headers: Readonly<Record<string, string>>;
};

export type ExporterOptions = {
  readonly collector: Collector;
  readonly version: string;
  now(): number;
  /** Maximum number of queued spans. More are dropped. */
  readonly most?: number;
};

export type Exporter = {
  add(spans: readonly Span[]): void;
  /** Sends the remaining spans, at most `withinMs` long. Spans not sent by then count as dropped. */
  close(withinMs: number): Promise<{ readonly dropped: number; readonly because: string }>;
};

const MAX_QUEUED = 2_048;
const BATCH_SIZE = 256;
const INTERVAL_MS = 1_000;
const TIMEOUT_MS = 5_000;

/**
 * Creates an exporter that sends ended spans while a run continues. The run never waits for it, and its errors do not
 * affect the run.
 */
export function createExporter({ collector, version, now, most = MAX_QUEUED }: ExporterOptions): Exporter {
  const [over, waiting] = [new AbortController(), [] as Span[]];
  let [dropped, because, since] = [0, "", now()];
  let sending: Promise<void> | undefined;

  const post = async (path: string, body: object): Promise<void> => {
    const response = await fetch(`${collector.endpoint.replace(/\/+$/, "")}${path}`, {
      method: "POST",
      headers: { ...collector.headers, "content-type": "application/json" },
      body: JSON.stringify(body),
      // A redirect target is not the address that the user configured.
      redirect: "error",
      signal: AbortSignal.any([over.signal, AbortSignal.timeout(TIMEOUT_MS)]),
    });
    await response.body?.cancel();
    if (!response.ok) throw new Error(`the collector returned ${response.status}`);
  };
  const send = async (): Promise<void> => {
    while (waiting.length > 0 && !over.signal.aborted) {
      const batch = waiting.splice(0, BATCH_SIZE);
      try {
        await post("/v1/traces", buildTraceRequest(batch, { version }));
        const measures = toMetrics(batch);
        const [from, to] = [since, now()];
        since = to;
        if (measures.length > 0)
          await post("/v1/metrics", buildMetricRequest(measures, { version, since: from, now: to }));
      } catch (error) {
        dropped += batch.length;
        because ||= getReason(error);
      }
    }
  };
  const flush = (): Promise<void> => {
    sending ??= send().finally(() => {
      sending = undefined;
    });
    return sending;
  };
  const timer = setInterval(() => void flush(), INTERVAL_MS);
  timer.unref();

  return {
    add(spans) {
      const room = Math.max(0, most - waiting.length);
      waiting.push(...spans.slice(0, room));
      dropped += Math.max(0, spans.length - room);
      if (waiting.length >= BATCH_SIZE) void flush();
    },
    async close(withinMs) {
      clearInterval(timer);
      const late = setTimeout(() => over.abort(), withinMs);
      await flush();
      // Spans may have been added while the last batch was being sent.
      await flush();
      clearTimeout(late);
      return { dropped: dropped + waiting.length, because: because || "too many spans at once" };
    },
  };
}

function getReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
}
