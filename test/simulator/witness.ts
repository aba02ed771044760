import type { Decision } from "../../src/core/authoring/decision.ts";
import type { EffectKind } from "../../src/core/journal/effect.ts";
import type { Lease, Signal, StampedRecord } from "../../src/core/ports/host.ts";
import type { Clock } from "./clock.ts";

/** A started effect, with the state outside the engine at that moment. */
export type EffectStart = {
  readonly id: string;
  readonly kind: EffectKind;
  readonly how: "start" | "resume";
  readonly at: number;
  readonly owner: string;
  /** Its intent was stored. */
  readonly intended: boolean;
  /** Running attempts of this owner, including this one. */
  readonly underWay: number;
  /** The run's end was stored. */
  readonly ended: boolean;
  /** The owner was paused before: it may have started this with an outdated view of the world. */
  readonly wasStopped: boolean;
};

/** Knowledge of everybody but the engine: agents, git, people and the store. */
export type Witness = {
  /** `newest` is the newest claim that any engine had by then. */
  readonly stored: (Pick<Lease, "owner" | "fence"> & { newest: number; records: readonly StampedRecord[] })[];
  readonly begun: EffectStart[];
  /** Commit orders by effect, as git received them. */
  readonly commits: Map<string, Set<string>>;
  /** Arguments of the pipeline's commit() calls. */
  readonly reasons: { readonly tree: string; readonly because: readonly Decision[] }[];
  readonly letters: { readonly at: number; readonly letter: Signal }[];
  /** Answers that no reader may accept as a contract, by effect. */
  readonly unreadable: Map<string, string>;
  /** Written texts of files of the checkout, in order. */
  readonly writes: { readonly path: string; readonly text: string; readonly at: number }[];
  readonly phases: Set<string>;
  readonly roles: Set<string>;
  /** Moves between phases that the pipeline has not declared. */
  readonly undeclared: string[];
  /** Work of an engine after it learned that it lost the run. */
  readonly afterFence: string[];
  /** Results of each drive of the run, with the journal's state at that time. */
  readonly drives: { readonly owner: string; readonly came: string; readonly stored: string }[];
  /** Stored intents: keys of steps and ids of attempts. */
  readonly intents: Set<string>;
  readonly faults: string[];
  readonly trace: string[];
  ended: boolean;
  /** The last stored end or suspension. */
  stands: string;
  newest: number;
  tell(line: string): void;
  /** All stored records, in order. */
  records(): readonly StampedRecord[];
  store(lease: Lease, records: readonly StampedRecord[]): void;
};

export function createWitness(clock: Clock): Witness {
  const trace: string[] = [];
  const intents = new Set<string>();
  const stored: Witness["stored"] = [];
  const witness: Witness = {
    stored,
    begun: [],
    commits: new Map(),
    reasons: [],
    letters: [],
    unreadable: new Map(),
    writes: [],
    phases: new Set(),
    roles: new Set(),
    undeclared: [],
    afterFence: [],
    drives: [],
    intents,
    faults: [],
    trace,
    ended: false,
    stands: "running",
    newest: 0,
    tell: (line) => {
      trace.push(`${clock.now()} ${line}`);
    },
    records: () => stored.flatMap((each) => each.records),
    store(lease, records) {
      stored.push({ owner: lease.owner, fence: lease.fence, newest: witness.newest, records });
      for (const record of records) {
        if (record.type === "step.started") intents.add(`${record.run}/${record.key}`);
        if (record.type === "agent.started") intents.add(record.effect);
        if (record.type === "run.finished") witness.ended = true;
        if (record.type === "run.finished" || record.type === "run.suspended") witness.stands = record.status;
      }
      const types = records.map((record) => `${record.type}${"key" in record ? ` ${record.key}` : ""}`);
      witness.tell(`${lease.owner} stores ${types.join(", ")} ${records.at(-1)?.chain.slice(0, 8)}`);
    },
  };
  return witness;
}
