import type { Pipeline } from "../../src/core/authoring/pipeline.ts";
import { QUOTA_POLICIES, type QuotaPolicy } from "../../src/core/budget/quota.ts";
import type { Effect } from "../../src/core/journal/effect.ts";
import type { Host, Signal, StampedRecord } from "../../src/core/ports/host.ts";
import type { World } from "../../src/core/ports/world.ts";
import { createEngine } from "../../src/engine/engine.ts";
import type { Chance } from "./chance.ts";
import type { Clock } from "./clock.ts";
import type { Blow, Faults } from "./faults.ts";
import { beginLife, type Life } from "./life.ts";
import type { Process } from "./process.ts";
import type { Stagehand } from "./stagehand.ts";
import type { Witness } from "./witness.ts";

export const LEASE_MS = 600_000;
const MINUTE = 60_000;
/** Share of appends that take time, so that others act meanwhile. */
const SLOW_APPENDS = 0.03;

/** Engines of a schedule, one after the other and in parallel. */
export type Engines = {
  readonly lives: readonly Life[];
  /** Engines that have neither left nor died. */
  driving(): readonly Life[];
  begin(how?: { readonly patient: boolean }): Life;
  /** Starts an engine later if no engine has the run. */
  comeBack(): void;
  strike(what: Exclude<Blow, "edited">): void;
};

export type EnginesParts = {
  readonly run: string;
  readonly pipeline: Pipeline;
  /** Opens another handle on the same store. */
  readonly open: () => Host;
  readonly world: World;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly witness: Witness;
  readonly faults: Faults;
  readonly stagehand: Stagehand;
  readonly post: (signal: Signal) => void;
  readonly onStored: (records: readonly StampedRecord[]) => void;
};

export function createEngines(parts: EnginesParts): Engines {
  const { clock, chance, faults, witness } = parts;
  const lives: Life[] = [];
  let appends = 0;
  let coming = false;
  const driving = () => lives.filter((life) => life.came === undefined && life.process.state !== "dead");

  const begin: Engines["begin"] = ({ patient } = { patient: false }) => {
    const life = beginLife({
      ...parts,
      owner: `engine-${lives.length + 1}`,
      host: parts.open(),
      async fate(process, isFirst) {
        appends += 1;
        const fate = faults.appends.get(appends) ?? "goes on";
        if (fate === "stops at") wakeLater(process);
        const woken = isFirst && wakeTheStopped();
        if (woken || chance.odds(SLOW_APPENDS)) await clock.sleep(chance.between(1, 40));
        return fate;
      },
    });
    lives.push(life);
    // Another engine may read another policy from the configuration.
    drive(parts, life, { patient, waits: chance.odds(0.7), usageWindow: chance.pick(QUOTA_POLICIES) });
    return life;
  };

  /** Wakes the old owner at the worst moment: after the new one's claim, before its first append. */
  const wakeTheStopped = (): boolean => {
    const stopped = driving().filter((life) => life.process.state === "stopped" && chance.odds(0.5));
    for (const life of stopped) life.process.wake();
    return stopped.length > 0;
  };

  const wakeLater = (process: Process): void => {
    // Either a short pause, or long enough for another engine to take over the run.
    clock.after(chance.pick([5_000, 2 * LEASE_MS, 4 * LEASE_MS]), () => process.wake());
    clock.after(LEASE_MS + chance.between(1, LEASE_MS), () => begin({ patient: true }));
  };

  const strike: Engines["strike"] = (what) => {
    const [victim] = driving().filter((life) => life.process.state === "alive");
    witness.tell(`${victim?.owner ?? "nobody"} is ${what}`);
    if (what === "canceled") parts.post({ kind: "cancel", by: "ada" });
    if (what === "raced") begin();
    if (what === "raced by a patient one") begin({ patient: true });
    if (!victim) return;
    if (what === "killed") victim.process.die();
    if (what === "told to stop") victim.term.abort({ exit: 143 });
    if (what !== "stopped") return;
    victim.process.stop();
    wakeLater(victim.process);
  };

  return {
    lives,
    driving,
    begin,
    comeBack() {
      if (coming) return;
      coming = true;
      clock.after(chance.magnitude(1_000, 10 * MINUTE), () => {
        coming = false;
        if (driving().length === 0) begin();
      });
    },
    strike,
  };
}

/** Drives the run in one process until the process leaves, or never. */
async function drive(
  parts: EnginesParts,
  life: Life,
  how: { readonly patient: boolean; readonly waits: boolean; readonly usageWindow: QuotaPolicy },
): Promise<void> {
  const { stagehand, witness, clock, run } = parts;
  const engine = createEngine({
    ...how,
    host: life.host,
    world: life.world,
    pipelines: () => parts.pipeline,
    owner: life.owner,
    performer: {
      // The stagehand returns the matching result for each kind of effect.
      perform: ((effect: Effect, signal: AbortSignal) => stagehand.perform(life, effect, signal)) as never,
      recover: ((effect: Effect, signal: AbortSignal) => stagehand.recover(life, effect, signal)) as never,
      restore: async (_run, lost) => stagehand.restore(life, lost),
    },
  });
  await life.host.serve(engine.handlers);
  witness.tell(`${life.owner} comes, ${how.patient ? "patient" : "impatient"}${how.waits ? ", waiting" : ""}`);
  const came = await life.host.drive(run, life.term.signal).then(
    ({ status }) => status,
    (error: unknown) => (error as { code?: string }).code ?? String(error),
  );
  life.came = came;
  clock.touch();
  witness.drives.push({ owner: life.owner, came, stored: witness.stands });
  witness.tell(`${life.owner} leaves: ${came}`);
}
