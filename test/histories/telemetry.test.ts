import { expect, test } from "vitest";
import type { Span } from "../../src/surfaces/telemetry/span.ts";
import { createSpanFold } from "../../src/surfaces/telemetry/spans.ts";
import { foldRunView } from "../../src/views/run-view.ts";
import { histories } from "./history.ts";

const listSpans = (records: Parameters<typeof foldRunView>[0]): readonly Span[] => {
  const spans = createSpanFold((text) => text);
  return records.flatMap((record) => spans.take(record));
};

test.each(histories())("$file is one trace, in which every parent exists", ({ records }) => {
  const spans = listSpans(records);
  const view = foldRunView(records);
  const ids = new Set(spans.map(({ spanId }) => spanId));
  expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(1);
  expect(ids.size).toBe(spans.length);
  const roots = spans.filter(({ parentSpanId }) => parentSpanId === undefined);
  expect(roots.map(({ name }) => name)).toEqual([`invoke_workflow ${view.pipeline}`]);
  expect(spans.filter(({ parentSpanId }) => parentSpanId !== undefined && !ids.has(parentSpanId))).toEqual([]);
  const kind = (name: string) => spans.filter(({ attributes }) => attributes["gen_ai.operation.name"] === name);
  const ended = view.attempts.filter(({ finished }) => finished);
  expect([kind("invoke_agent").length, kind("execute_tool").length]).toEqual([ended.length, view.evidence.length]);
  const sum = (key: string) => spans.reduce((all, span) => all + Number(span.attributes[key] ?? 0), 0);
  expect(sum("gen_ai.usage.input_tokens")).toBe(view.spent.inputTokens);
  expect(sum("gen_ai.usage.output_tokens")).toBe(view.spent.outputTokens);
  expect(sum("signalbox.cost.usd")).toBeCloseTo(view.spent.usd, 6);
});

test.each(histories())("$file has the same ids whichever engine completes it", ({ records }) => {
  const again = listSpans(records.filter(({ type }) => type !== "engine.started"));
  expect(again.map(({ spanId }) => spanId)).toEqual(listSpans(records).map(({ spanId }) => spanId));
});
