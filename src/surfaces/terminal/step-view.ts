import type { Json } from "../../core/json.ts";
import type { JournalRecord } from "../../core/record.ts";

export type RuleView = { readonly rule: string; readonly passed: boolean; readonly actual: Json; readonly need: Json };
export type GateView = { readonly gate: string; readonly passed: boolean; readonly rules: readonly RuleView[] };

export type StepView = {
  readonly lastGate: GateView | undefined;
  readonly lastAction: string;
  readonly notes: Readonly<Record<string, Json>>;
  readonly commit: { readonly commit: string; readonly branch: string } | undefined;
};

/** What the steps of a run came to: its last gate, its notes, its commit. */
export function createStepView() {
  /** Steps of these verbs that have not ended. */
  const open = new Map<string, string>();
  /** Rules by the gate's key, as long as it may be given more of them. */
  const gates = new Map<string, RuleView[]>();
  const notes: Record<string, Json> = {};
  let lastGate: { readonly gate: string; readonly rules: readonly RuleView[] } | undefined;
  let lastAction = "";
  let commit: StepView["commit"];

  const judged = ({ key, gate, rule, passed, actual, need }: JournalRecord<"gate.evaluated">): void => {
    const rules = gates.get(key) ?? [];
    rules.push({ rule, passed, actual, need });
    gates.set(key, rules);
    lastGate = { gate, rules };
  };
  const ended = ({ key, value }: JournalRecord<"step.finished">): void => {
    lastAction = key;
    const verb = open.get(key);
    // What the verb returned, recorded.
    if (verb === "commit" && value !== undefined) commit = value as StepView["commit"];
    // A note's value is the facts it was given.
    if (verb === "note" && typeof value === "object" && value !== null) Object.assign(notes, value);
    open.delete(key);
    gates.delete(key);
  };

  return {
    take(record: JournalRecord): void {
      if (record.type === "step.started" && READ.has(record.verb)) open.set(record.key, record.verb);
      if (record.type === "gate.evaluated") judged(record);
      if (record.type === "step.finished") ended(record);
    },
    view: (): StepView => ({
      lastGate: lastGate && { ...lastGate, passed: lastGate.rules.every((rule) => rule.passed) },
      lastAction,
      notes: { ...notes },
      commit,
    }),
  };
}

const READ: ReadonlySet<string> = new Set(["note", "commit"]);
