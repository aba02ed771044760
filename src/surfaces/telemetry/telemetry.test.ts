import { expect, onTestFinished, test } from "vitest";
import type { JournalRecord } from "../../core/journal/record.ts";
import { startCollector } from "./collector.fixture.ts";
import { createExporter } from "./exporter.ts";
import { toMetrics } from "./metrics.ts";
import { buildMetricRequest, buildTraceRequest } from "./otlp.ts";
import { computeSpanId, computeTraceId, type Span } from "./span.ts";
import { createSpanFold } from "./spans.ts";

const span = (name: string): Span => ({
  traceId: computeTraceId("r"),
  spanId: computeSpanId("r", name),
  name,
  start: 1_700_000_000_000,
  end: 1_700_000_000_250,
  attributes: { "gen_ai.operation.name": "invoke_agent", "gen_ai.usage.input_tokens": 20, "signalbox.cost.usd": 0.5 },
});

async function collecting(answers?: () => number | undefined) {
  const collector = await startCollector(answers);
  onTestFinished(() => collector.close());
  const parts = { collector: { endpoint: collector.endpoint, headers: {} }, version: "0", now: () => 5 };
  return { collector, parts };
}

test("a request is OTLP in JSON: ids in hex, times and integers as text", () => {
  const request = buildTraceRequest([{ ...span("a"), error: "transient" }], { version: "0.1.0" });
  expect(request).toMatchObject({
    resourceSpans: [
      {
        resource: { attributes: [{ key: "service.name", value: { stringValue: "signalbox" } }, {}] },
        scopeSpans: [
          {
            schemaUrl: "https://opentelemetry.io/schemas/1.41.0",
            spans: [
              {
                traceId: expect.stringMatching(/^[0-9a-f]{32}$/),
                spanId: expect.stringMatching(/^[0-9a-f]{16}$/),
                startTimeUnixNano: "1700000000000000000",
                endTimeUnixNano: "1700000000250000000",
                status: { code: 2, message: "transient" },
                attributes: expect.arrayContaining([
                  { key: "gen_ai.usage.input_tokens", value: { intValue: "20" } },
                  { key: "signalbox.cost.usd", value: { doubleValue: 0.5 } },
                ]),
              },
            ],
          },
        ],
      },
    ],
  });
});

test("metrics are histograms and a sum, and unreported values are not counted as zero", () => {
  const silent: Span = { ...span("b"), attributes: { "gen_ai.operation.name": "invoke_agent" } };
  const measures = toMetrics([span("a"), span("c"), silent]);
  expect(measures.map(({ name, values }) => [name, values.length])).toEqual([
    ["gen_ai.client.operation.duration", 3],
    ["gen_ai.client.token.usage", 2],
    ["signalbox.cost", 2],
  ]);
  expect(buildMetricRequest(measures, { version: "0", since: 1, now: 2 })).toMatchObject({
    resourceMetrics: [
      {
        scopeMetrics: [
          {
            metrics: [
              { histogram: { aggregationTemporality: 1, dataPoints: [{ count: "3", sum: 0.75 }] } },
              { histogram: { dataPoints: [{ count: "2", min: 20, max: 20 }] } },
              { sum: { isMonotonic: true, dataPoints: [{ asDouble: 1 }] } },
            ],
          },
        ],
      },
    ],
  });
});

test("all added spans are sent before close returns", async () => {
  const { collector, parts } = await collecting();
  const exporter = createExporter(parts);
  exporter.add(Array.from({ length: 600 }, (_, at) => span(`s${at}`)));
  expect(await exporter.close(5_000)).toMatchObject({ dropped: 0 });
  expect(new Set(collector.spans().map(({ name }) => name)).size).toBe(600);
  expect(collector.metrics().length).toBeGreaterThan(0);
});

test("spans above the queue limit are dropped and counted", async () => {
  const { collector, parts } = await collecting();
  const exporter = createExporter({ ...parts, most: 10 });
  exporter.add(Array.from({ length: 25 }, (_, at) => span(`s${at}`)));
  expect(await exporter.close(5_000)).toEqual({ dropped: 15, because: "too many spans at once" });
  expect(collector.spans()).toHaveLength(10);
});

test("a collector that refuses or is unreachable loses the spans and affects nothing else", async () => {
  const { parts } = await collecting(() => 503);
  const refused = createExporter(parts);
  refused.add([span("a")]);
  expect(await refused.close(5_000)).toEqual({ dropped: 1, because: "the collector returned 503" });
  const absent = createExporter({ ...parts, collector: { endpoint: "http://127.0.0.1:9", headers: {} } });
  absent.add([span("a"), span("b")]);
  expect(await absent.close(5_000)).toMatchObject({ dropped: 2 });
});

test("a collector that never responds is given up after the timeout", async () => {
  const { parts } = await collecting(() => undefined);
  const exporter = createExporter(parts);
  exporter.add([span("a")]);
  expect(await exporter.close(50)).toMatchObject({ dropped: 1 });
});

test("names are redacted and cut, and no text of an agent is sent", () => {
  const spans = createSpanFold((text) => text.replaceAll("hunter2", "[redacted]"));
  const facts = [
    {
      type: "step.started",
      key: `1/hunter2/${"x".repeat(900)}`,
      scope: "",
      n: 0,
      verb: "agent",
      phase: "1",
      print: "",
    },
    { type: "step.finished", key: `1/hunter2/${"x".repeat(900)}`, value: "what the agent said" },
  ];
  const stamp = { v: 1, seq: 1, ts: 1, run: "r", chain: "" };
  // The cast holds: an event with a stamp is a record.
  const ended = facts.flatMap((fact) => spans.take({ ...stamp, ...fact } as JournalRecord));
  expect(ended).toHaveLength(1);
  const text = JSON.stringify(ended);
  expect(text).not.toMatch(/hunter2|what the agent said|x{300}/);
});
