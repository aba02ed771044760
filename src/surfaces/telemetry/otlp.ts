import { canonical } from "../../core/text/json.ts";
import type { Measure } from "./measures.ts";
import type { Attribute, Span } from "./span.ts";

/** The version of the conventions that the names are taken from. */
export const SEMCONV = "1.41.0";
const SCHEMA_URL = `https://opentelemetry.io/schemas/${SEMCONV}`;
/** Numbers that OTLP has for words. */
const [KIND_INTERNAL, STATUS_ERROR, DELTA] = [1, 2, 1];

export type Sender = { readonly version: string };

/** Spans as an OTLP/HTTP request in JSON. */
export function traceRequest(spans: readonly Span[], { version }: Sender): object {
  return {
    resourceSpans: [
      {
        resource: resourceOf(version),
        scopeSpans: [{ scope: scopeOf(version), spans: spans.map(spanOf), schemaUrl: SCHEMA_URL }],
      },
    ],
  };
}

/** Numbers of the time from `since` to `now`, which have not been told before. */
export function metricRequest(measures: readonly Measure[], at: Sender & { since: number; now: number }): object {
  const metrics = measures.map((measure) => metricOf(measure, at));
  return {
    resourceMetrics: [
      {
        resource: resourceOf(at.version),
        scopeMetrics: [{ scope: scopeOf(at.version), metrics, schemaUrl: SCHEMA_URL }],
      },
    ],
  };
}

const resourceOf = (version: string) => ({
  attributes: attributesOf({ "service.name": "signalbox", "service.version": version }),
});
const scopeOf = (version: string) => ({ name: "signalbox", version });

function spanOf({ traceId, spanId, parentSpanId, name, start, end, attributes, error }: Span): object {
  return {
    traceId,
    spanId,
    ...(parentSpanId === undefined ? {} : { parentSpanId }),
    name,
    kind: KIND_INTERNAL,
    startTimeUnixNano: nanos(start),
    endTimeUnixNano: nanos(Math.max(start, end)),
    attributes: attributesOf({ ...attributes, "error.type": error }),
    ...(error === undefined ? {} : { status: { code: STATUS_ERROR, message: error } }),
  };
}

function metricOf({ name, unit, bounds, values }: Measure, { since, now }: { since: number; now: number }): object {
  const groups = [...Map.groupBy(values, ({ labels }) => canonical(labels)).values()];
  const dataPoints = groups.map((group) => {
    const numbers = group.map(({ value }) => value);
    const base = {
      attributes: attributesOf(group[0]?.labels ?? {}),
      startTimeUnixNano: nanos(since),
      timeUnixNano: nanos(now),
    };
    const sum = numbers.reduce((all, value) => all + value, 0);
    return bounds === undefined ? { ...base, asDouble: sum } : { ...base, ...bucketsOf(numbers, bounds), sum };
  });
  if (bounds !== undefined) return { name, unit, histogram: { aggregationTemporality: DELTA, dataPoints } };
  return { name, unit, sum: { aggregationTemporality: DELTA, isMonotonic: true, dataPoints } };
}

function bucketsOf(numbers: readonly number[], bounds: readonly number[]) {
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

function attributesOf(said: Readonly<Record<string, Attribute>>): readonly object[] {
  return Object.entries(said).flatMap(([key, value]) => (value === undefined ? [] : [{ key, value: anyValue(value) }]));
}

function anyValue(value: NonNullable<Attribute>): object {
  if (typeof value === "boolean") return { boolValue: value };
  if (typeof value === "string") return { stringValue: value };
  return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value };
}

/** A number of JavaScript cannot hold them. */
const nanos = (ms: number): string => `${Math.max(0, Math.round(ms * 1000))}000`;
