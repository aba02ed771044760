import { canonical } from "../../core/text/json.ts";
import type { Metric } from "./metrics.ts";
import type { Attribute, Span } from "./span.ts";

/** The version of the semantic conventions that define the names. */
export const SEMCONV = "1.41.0";
const SCHEMA_URL = `https://opentelemetry.io/schemas/${SEMCONV}`;
/** Numeric constants of OTLP. */
const [KIND_INTERNAL, STATUS_ERROR, DELTA] = [1, 2, 1];

export type SenderInfo = { readonly version: string };

/** Builds an OTLP/HTTP request in JSON for spans. */
export function buildTraceRequest(spans: readonly Span[], { version }: SenderInfo): object {
  return {
    resourceSpans: [
      {
        resource: toResource(version),
        scopeSpans: [{ scope: toScope(version), spans: spans.map(toOtlpSpan), schemaUrl: SCHEMA_URL }],
      },
    ],
  };
}

/** Builds an OTLP/HTTP request for metrics of the time from `since` to `now` that were not sent before. */
export function buildMetricRequest(
  measures: readonly Metric[],
  at: SenderInfo & { since: number; now: number },
): object {
  const metrics = measures.map((measure) => toOtlpMetric(measure, at));
  return {
    resourceMetrics: [
      {
        resource: toResource(at.version),
        scopeMetrics: [{ scope: toScope(at.version), metrics, schemaUrl: SCHEMA_URL }],
      },
    ],
  };
}

const toResource = (version: string) => ({
  attributes: toOtlpAttributes({ "service.name": "signalbox", "service.version": version }),
});
const toScope = (version: string) => ({ name: "signalbox", version });

function toOtlpSpan({ traceId, spanId, parentSpanId, name, start, end, attributes, error }: Span): object {
  return {
    traceId,
    spanId,
    ...(parentSpanId === undefined ? {} : { parentSpanId }),
    name,
    kind: KIND_INTERNAL,
    startTimeUnixNano: toNanos(start),
    endTimeUnixNano: toNanos(Math.max(start, end)),
    attributes: toOtlpAttributes({ ...attributes, "error.type": error }),
    ...(error === undefined ? {} : { status: { code: STATUS_ERROR, message: error } }),
  };
}

function toOtlpMetric({ name, unit, bounds, values }: Metric, { since, now }: { since: number; now: number }): object {
  const groups = [...Map.groupBy(values, ({ labels }) => canonical(labels)).values()];
  const dataPoints = groups.map((group) => {
    const numbers = group.map(({ value }) => value);
    const base = {
      attributes: toOtlpAttributes(group[0]?.labels ?? {}),
      startTimeUnixNano: toNanos(since),
      timeUnixNano: toNanos(now),
    };
    const sum = numbers.reduce((all, value) => all + value, 0);
    return bounds === undefined ? { ...base, asDouble: sum } : { ...base, ...toHistogram(numbers, bounds), sum };
  });
  if (bounds !== undefined) return { name, unit, histogram: { aggregationTemporality: DELTA, dataPoints } };
  return { name, unit, sum: { aggregationTemporality: DELTA, isMonotonic: true, dataPoints } };
}

function toHistogram(numbers: readonly number[], bounds: readonly number[]) {
  const counts = Array.from({ length: bounds.length + 1 }, () => 0);
  for (const value of numbers) {
    const at = bounds.findIndex((bound) => value <= bound);
    const index = at < 0 ? bounds.length : at;
    counts[index] = (counts[index] ?? 0) + 1;
  }
  return {
    count: String(numbers.length),
    bucketCounts: counts.map(String),
    explicitBounds: bounds,
    min: Math.min(...numbers),
    max: Math.max(...numbers),
  };
}

function toOtlpAttributes(attributes: Readonly<Record<string, Attribute>>): readonly object[] {
  return Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : [{ key, value: toAnyValue(value) }],
  );
}

function toAnyValue(value: NonNullable<Attribute>): object {
  if (typeof value === "boolean") return { boolValue: value };
  if (typeof value === "string") return { stringValue: value };
  return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value };
}

/** Formats nanoseconds as text, because they exceed the safe integers of JavaScript. */
const toNanos = (ms: number): string => `${Math.max(0, Math.round(ms * 1000))}000`;
