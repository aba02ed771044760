import type { Span } from "./span.ts";

/** One metric with its values since the last export. */
export type Metric = {
  readonly name: string;
  readonly unit: string;
  /** Upper bounds of the histogram buckets. A sum has none. */
  readonly bounds?: readonly number[];
  readonly values: readonly { readonly value: number; readonly labels: Readonly<Record<string, string>> }[];
};

const SECONDS = [0.1, 0.5, 1, 5, 10, 30, 60, 120, 300, 600, 1_800, 3_600];
const TOKENS = [1, 4, 16, 64, 256, 1_024, 4_096, 16_384, 65_536, 262_144, 1_048_576, 4_194_304, 16_777_216, 67_108_864];

const LABELS = ["gen_ai.operation.name", "gen_ai.agent.name", "gen_ai.provider.name", "gen_ai.request.model"];

/** Derives metrics from spans. No label grows with the number of runs. */
export function toMetrics(spans: readonly Span[]): readonly Metric[] {
  const agents = spans.filter(({ attributes }) => attributes["gen_ai.operation.name"] === "invoke_agent");
  const worked = spans.filter(({ attributes }) => attributes["gen_ai.operation.name"] !== undefined);
  const all = [
    { name: "gen_ai.client.operation.duration", unit: "s", bounds: SECONDS, values: worked.map(toDurationValue) },
    { name: "gen_ai.client.token.usage", unit: "{token}", bounds: TOKENS, values: agents.flatMap(toTokenValues) },
    { name: "signalbox.cost", unit: "USD", values: agents.flatMap((span) => toValue(span, "signalbox.cost.usd")) },
  ];
  return all.filter(({ values }) => values.length > 0);
}

function toDurationValue(span: Span) {
  const failed: Record<string, string> = span.error === undefined ? {} : { "error.type": span.error };
  return { value: (span.end - span.start) / 1000, labels: { ...getLabels(span), ...failed } };
}

function toTokenValues(span: Span) {
  return ["input", "output"].flatMap((type) =>
    toValue(span, `gen_ai.usage.${type}_tokens`).map(({ value, labels }) => ({
      value,
      labels: { ...labels, "gen_ai.token.type": type },
    })),
  );
}

/** Returns nothing for a missing number, because unknown is not zero. */
function toValue(span: Span, key: string) {
  const value = span.attributes[key];
  return typeof value === "number" ? [{ value, labels: getLabels(span) }] : [];
}

function getLabels({ attributes }: Span): Readonly<Record<string, string>> {
  const labels = LABELS.flatMap((key) =>
    attributes[key] === undefined ? [] : [[key, String(attributes[key])] as const],
  );
  return Object.fromEntries(labels);
}
