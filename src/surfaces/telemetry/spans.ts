import { getOutcomeWord } from "../../core/checks/outcome/explain-check.ts";
import type { JournalRecord, RecordType } from "../../core/journal/record.ts";
import { type Attribute, computeSpanId, computeTraceId, type Span } from "./span.ts";

/** Maximum length of attributes. Keys contain task names that agents chose. */
const MAX_CHARS = 256;

type EndedOperation = Pick<Span, "name" | "start" | "end" | "error"> & {
  /** Its path in the run and that of its parent. The path of the run itself is "". */
  readonly place: string;
  readonly within?: string;
  readonly attributes: Readonly<Record<string, Attribute>>;
};

/**
 * Converts the journal to spans: run, phase, step, and below it attempts, checks and gates. A span is emitted when its
 * operation has ended; phases end with the run. Spans contain names and numbers only, and no prompts, answers, output
 * or commands.
 */
export function createSpanFold(redact: (text: string) => string) {
  const steps = new Map<string, JournalRecord<"step.started">>();
  const attempts = new Map<string, JournalRecord<"agent.started">>();
  const rules = new Map<string, JournalRecord<"gate.evaluated">[]>();
  const phases = new Map<string, { readonly start: number; end: number }>();
  let started: JournalRecord<"run.started"> | undefined;

  const handlers: { readonly [T in RecordType]?: (record: JournalRecord<T>) => readonly EndedOperation[] } = {
    "run.started": (record) => {
      started = record;
      return [];
    },
    "step.started": (record) => {
      steps.set(record.key, record);
      const { phase, ts } = record;
      if (!phases.has(phase)) phases.set(phase, { start: ts, end: ts });
      return [];
    },
    "step.finished": (record) => {
      const step = steps.get(record.key);
      steps.delete(record.key);
      if (!step) return [];
      const phase = phases.get(step.phase);
      if (phase) phase.end = record.ts;
      const judged = rules.get(record.key) ?? [];
      rules.delete(record.key);
      return [...toGateOperations(judged, record), toStepOperation(step, record)];
    },
    "agent.started": (record) => {
      attempts.set(toAttemptPath(record), record);
      return [];
    },
    "agent.finished": (record) => {
      const begun = attempts.get(toAttemptPath(record));
      attempts.delete(toAttemptPath(record));
      return begun ? [toAttemptOperation(begun, record)] : [];
    },
    "evidence.recorded": (record) => [toCheckOperation(record)],
    "gate.evaluated": (record) => {
      rules.set(record.key, [...(rules.get(record.key) ?? []), record]);
      return [];
    },
    "run.finished": (record) => {
      const parts = [...phases].map(([title, { start, end }]) => ({
        ...{ place: toPhasePath(title), within: "", name: title, start, end },
        attributes: { "signalbox.phase": title },
      }));
      return [...parts, toRunOperation(started, record)];
    },
  };

  return {
    take(record: JournalRecord): readonly Span[] {
      // The cast holds because each handler is stored under the type that it accepts.
      const take = handlers[record.type] as ((record: JournalRecord) => readonly EndedOperation[]) | undefined;
      return (take?.(record) ?? []).map((ended) => toSpan(record.run, ended, redact));
    },
  };
}

const toAttemptPath = ({ key, attempt }: { readonly key: string; readonly attempt: number }) => `${key}@${attempt}`;
const toPhasePath = (title: string): string => `phase ${title}`;

function toSpan(
  run: string,
  { place, within, attributes, name, ...rest }: EndedOperation,
  redact: (text: string) => string,
): Span {
  const clean = (value: Attribute): Attribute =>
    typeof value === "string" ? redact(value).slice(0, MAX_CHARS) : value;
  return {
    traceId: computeTraceId(run),
    spanId: computeSpanId(run, place),
    ...(within === undefined ? {} : { parentSpanId: computeSpanId(run, within) }),
    name: redact(name).slice(0, MAX_CHARS),
    ...rest,
    attributes: Object.fromEntries(
      Object.entries({ "signalbox.run": run, ...attributes }).map(([key, value]) => [key, clean(value)]),
    ),
  };
}

function toRunOperation(
  started: JournalRecord<"run.started"> | undefined,
  end: JournalRecord<"run.finished">,
): EndedOperation {
  const { pipeline = "", version, ts: start = end.ts } = started ?? {};
  return {
    place: "",
    name: `invoke_workflow ${pipeline}`,
    start,
    end: end.ts,
    error: end.status === "done" ? undefined : end.status,
    attributes: {
      "gen_ai.operation.name": "invoke_workflow",
      "gen_ai.workflow.name": pipeline,
      "signalbox.pipeline.version": version,
      "signalbox.status": end.status,
      "signalbox.exit": end.exit,
      "signalbox.confidence": end.confidence,
    },
  };
}

function toStepOperation(
  { key, verb, phase, ts: start }: JournalRecord<"step.started">,
  end: JournalRecord<"step.finished">,
): EndedOperation {
  return {
    ...{ place: `step ${key}`, within: toPhasePath(phase), name: key, start, end: end.ts },
    error: end.failure?.class,
    attributes: { "signalbox.step": key, "signalbox.verb": verb, "signalbox.phase": phase },
  };
}

function toAttemptOperation(
  begun: JournalRecord<"agent.started">,
  end: JournalRecord<"agent.finished">,
): EndedOperation {
  const { key, role, instance, attempt, round, outcome, failure, by = "", usage = {} } = end;
  const [driver, ...model] = by.split(":");
  return {
    place: toAttemptPath(end),
    within: `step ${key}`,
    name: `invoke_agent ${role}`,
    start: begun.ts,
    end: end.ts,
    error: failure?.class ?? (outcome === "done" ? undefined : outcome),
    attributes: {
      "gen_ai.operation.name": "invoke_agent",
      "gen_ai.agent.name": role,
      "gen_ai.provider.name": driver || undefined,
      "gen_ai.request.model": model.join(":") || undefined,
      "gen_ai.usage.input_tokens": usage.inputTokens,
      "gen_ai.usage.output_tokens": usage.outputTokens,
      "signalbox.instance": instance,
      "signalbox.attempt": attempt,
      "signalbox.round": round,
      "signalbox.outcome": outcome,
      "signalbox.cost.usd": usage.usd,
    },
  };
}

function toCheckOperation(record: JournalRecord<"evidence.recorded">): EndedOperation {
  const { key, seq, check, ts: end, ms, exitCode, phase, round, tests } = record;
  const outcome = getOutcomeWord(record);
  return {
    ...{ place: `check ${key} ${seq}`, within: `step ${key}`, name: `execute_tool ${check}`, start: end - ms, end },
    error: outcome === "passed" ? undefined : outcome,
    attributes: {
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": check,
      "signalbox.outcome": outcome,
      "signalbox.exit": exitCode ?? undefined,
      "signalbox.when": phase,
      "signalbox.round": round,
      "signalbox.tests.passed": tests?.passed,
      "signalbox.tests.failed": tests?.failed,
      "signalbox.tests.skipped": tests?.skipped,
    },
  };
}

function toGateOperations(
  rules: readonly JournalRecord<"gate.evaluated">[],
  { key }: { readonly key: string },
): readonly EndedOperation[] {
  const [first, last] = [rules.at(0), rules.at(-1)];
  if (!first || !last) return [];
  const missed = rules.filter(({ passed }) => !passed);
  return [
    {
      ...{ place: `gate ${key}`, within: `step ${key}`, name: `gate ${first.gate}`, start: first.ts, end: last.ts },
      error: missed.length > 0 ? "missed" : undefined,
      attributes: {
        "signalbox.gate": first.gate,
        "signalbox.gate.rules": rules.length,
        "signalbox.gate.missed": missed.map(({ rule }) => rule).join(" ") || undefined,
      },
    },
  ];
}
