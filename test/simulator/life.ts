import type { Host, StampedRecord } from "../../src/core/ports/host.ts";
import type { World } from "../../src/core/ports/world.ts";
import { type Guard, guardedHost } from "../support/guarded-host.ts";
import type { Clock } from "./clock.ts";
import { createProcess, type Process } from "./process.ts";
import type { Witness } from "./witness.ts";

/** Fate of a process at an append. */
export type Fate = "goes on" | "dies before" | "dies after" | "stops at";

/** One engine's process, with its own view of host and clock. */
export type Life = {
  readonly owner: string;
  readonly process: Process;
  readonly host: Host;
  readonly world: World;
  /** Fires on SIGTERM. */
  readonly term: AbortController;
  /** True once it learned that another engine has the run. */
  fenced: boolean;
  /** Result of its drive; undefined while it runs. */
  came: string | undefined;
};

export type LifeParts = {
  readonly owner: string;
  readonly host: Host;
  readonly world: World;
  readonly clock: Clock;
  readonly witness: Witness;
  /** Called at each append, with whether it is the process's first; resolves when the store has processed it. */
  readonly fate: (process: Process, isFirst: boolean) => Promise<Fate>;
  readonly onStored: (records: readonly StampedRecord[]) => void;
};

export function beginLife(parts: LifeParts): Life {
  const { owner, world, clock } = parts;
  const process = createProcess();
  const onRefusal = () => {
    life.fenced = true;
  };
  const life: Life = {
    owner,
    process,
    term: new AbortController(),
    fenced: false,
    came: undefined,
    host: createHost(process, { ...parts, onRefusal }),
    world: {
      ...world,
      hash: (text: string) => {
        clock.touch();
        return world.hash(text);
      },
      sleep: async (ms: number, signal?: AbortSignal) => {
        await clock.sleep(ms, signal);
        await process.passing();
      },
    },
  };
  return life;
}

type ProcessView = LifeParts & { readonly onRefusal: () => void };

/** Blocks all calls while the process is paused, and forever once it is dead. */
function createHost(process: Process, parts: ProcessView): Host {
  const { host, clock } = parts;
  let appends = 0;
  const guard: Guard =
    (act) =>
    async (...args) => {
      clock.touch();
      await process.passing();
      const result = await act(...args);
      clock.touch();
      await process.passing();
      return result;
    };
  const claim: Host["runs"]["claim"] = async (run, owner) => {
    const result = await host.runs.claim(run, owner);
    if (result.won) parts.witness.newest = result.lease.fence;
    return result;
  };
  const store: Append = (lease, records) => append(process, { ...parts, isFirst: appends++ === 0 }, [lease, records]);
  const seen = { ...host, runs: { ...host.runs, claim }, journal: { ...host.journal, append: store } };
  return guardedHost(seen, guard);
}

type Append = Host["journal"]["append"];

async function append(
  process: Process,
  parts: ProcessView & { isFirst: boolean },
  [lease, records]: Parameters<Append>,
): Promise<void> {
  const { host, witness } = parts;
  const fate = await parts.fate(process, parts.isFirst);
  if (fate !== "goes on") witness.tell(`${lease.owner} ${fate} the append of ${records[0]?.seq}`);
  if (fate === "dies before") process.die();
  if (fate === "stops at") process.stop();
  await process.passing();
  try {
    await host.journal.append(lease, records);
  } catch (error) {
    parts.onRefusal();
    witness.tell(`${lease.owner} is refused: ${(error as { code?: string }).code}`);
    throw error;
  }
  witness.store(lease, records);
  parts.onStored(records);
  if (fate === "dies after") process.die();
  // Engines learn of it at different times on different hosts, down to the microtask.
  for (let left = (records[0]?.seq ?? 0) % 5; left > 0; left -= 1) await undefined;
}
