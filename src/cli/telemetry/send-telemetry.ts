import type { Host } from "../../core/ports/host.ts";
import type { World } from "../../core/ports/world.ts";
import { type Collector, createExporter } from "../../surfaces/telemetry/exporter.ts";
import { createSpanFold } from "../../surfaces/telemetry/spans.ts";
import { readVersion } from "../program.ts";

export type TelemetryContext = {
  readonly host: Pick<Host, "journal">;
  readonly world: Pick<World, "redact" | "now">;
  readonly collector: Collector | undefined;
};

/** Longest time that telemetry may delay the end of a run. */
const CLOSE_TIMEOUT_MS = 1_500;
const NONE = { close: async (): Promise<void> => {} };

/** Exports the spans of a run while it is driven, beginning after record `after`. Never delays or stops a run. */
export function sendTelemetry(
  { host, world, collector }: TelemetryContext,
  { run, after }: { run: string; after: number },
) {
  if (collector === undefined) return NONE;
  const [over, spans] = [new AbortController(), createSpanFold(world.redact)];
  const exporter = createExporter({ collector, version: readVersion(), now: world.now });
  const followed = (async () => {
    let seq = 0;
    const take = (record: Parameters<typeof spans.take>[0]): void => {
      seq = record.seq;
      const ended = spans.take(record);
      // An earlier engine has sent spans that ended before.
      if (record.seq > after) exporter.add(ended);
    };
    for await (const record of host.journal.follow(run, 0, over.signal)) take(record);
    for (const record of await host.journal.load(run, seq)) take(record);
  })().catch(() => undefined);
  return {
    async close(): Promise<void> {
      over.abort();
      await followed;
      const { dropped, because } = await exporter.close(CLOSE_TIMEOUT_MS);
      if (dropped === 0) return;
      const whom = URL.parse(collector.endpoint)?.host ?? "the collector";
      process.stderr.write(`${world.redact(`warning: ${dropped} spans were not sent to ${whom}: ${because}`)}\n`);
    },
  };
}
