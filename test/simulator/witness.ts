import type { Decision } from "../../src/core/authoring/decision.ts";
import type { EffectKind } from "../../src/core/journal/effect.ts";
import type { Lease, Signal, StampedRecord } from "../../src/core/ports/host.ts";
import type { Clock } from "./clock.ts";

/** An effect that was begun, and what was true outside the engine at that moment. */
export type EffectStart = {
  readonly id: string;
  readonly kind: EffectKind;
  readonly how: "start" | "resume";
  readonly at: number;
  readonly owner: string;
  /** Its intent was stored. */
  readonly intended: boolean;
  /** Attempts of this owner that are under way, this one included. */
  readonly underWay: number;
  /** The run's end was stored. */
  readonly ended: boolean;
  /** The owner was held up at some time: it may have begun this with an old view of the world. */
  readonly wasStopped: boolean;
};

/** What everybody but the engine knows of a run: agents, git, people and the store. */
export type Witness = {
  /** `newest` is the newest claim that anybody had got by then. */
  readonly stored: (Pick<Lease, "owner" | "fence"> & { newest: number; records: readonly StampedRecord[] })[];
  readonly begun: EffectStart[];
  /** Commit orders by effect: what git was asked for. */
  readonly commits: Map<string, Set<string>>;
  /** What a pipeline gave to commit(). */
  readonly reasons: { readonly tree: string; readonly because: readonly Decision[] }[];
  readonly letters: { readonly at: number; readonly letter: Signal }[];
  /** Answers that no reader may take for a contract, by effect. */
  readonly unreadable: Map<string, string>;
  /** Texts of files of the checkout, in the order of their writing. */
  readonly writes: { readonly path: string; readonly text: string; readonly at: number }[];
  readonly phases: Set<string>;
  readonly roles: Set<string>;
  /** Moves between phases that the pipeline has not declared. */
  readonly undeclared: string[];
  /** Work of an engine after it had been told that the run is no longer its own. */
  readonly afterFence: string[];
  /** What each drive of the run came to, and what the journal said of the run then. */
  readonly drives: { readonly owner: string; readonly came: string; readonly stored: string }[];
  /** Intents that are stored: keys of steps and ids of attempts. */
  readonly intents: Set<string>;
  readonly faults: string[];
  readonly trace: string[];
  ended: boolean;
  /** The last end or suspension that was stored. */
  stands: string;
  newest: number;
  tell(line: string): void;
  /** Everything that was stored, in order. */
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
