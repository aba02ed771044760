import { FINISHED } from "../../src/core/authoring/end.ts";
import type { Pipeline } from "../../src/core/authoring/pipeline.ts";
import type { JournalRecord } from "../../src/core/journal/record.ts";
import type { Host } from "../../src/core/ports/host.ts";
import type { World } from "../../src/core/ports/world.ts";
import type { Scenario } from "../support/answers/scenario.ts";
import type { Clock } from "./clock.ts";
import type { Engines } from "./engines.ts";
import { setUp } from "./set-up.ts";
import type { Witness } from "./witness.ts";

/** Far more than any schedule needs: a longer one is an endless loop. */
const MOST_MOMENTS = 20_000;
const MOST_LIVES = 80;

export type Order = { readonly seed: number; readonly pipeline?: string };

/** A run and all of its participants. */
export type Stage = {
  readonly seed: number;
  readonly scenario: Scenario;
  readonly pipeline: Pipeline;
  readonly run: string;
  readonly host: Host;
  readonly world: World;
  readonly clock: Clock;
  readonly witness: Witness;
  readonly engines: Engines;
  status(): string;
  /** True if the run waits for a person who has not written. */
  parked(): boolean;
  /** Reason why no engine can continue the run although it has not ended. */
  halted(): string | undefined;
};

/** One completed schedule. */
export type Played = Stage & {
  readonly records: readonly JournalRecord[];
  /** Final state of the run; a reason that stopped the schedule itself starts with "!". */
  readonly ended: string;
  /** Number of records before the ended run was driven once more. */
  readonly recordsAtEnd: number;
};

export async function play(order: Order): Promise<Played> {
  const stage = await setUp(order);
  const { witness, host, run } = stage;
  let ended: string | undefined;
  for (let moments = 0; ended === undefined; moments += 1) {
    await stage.clock.quiet();
    ended = endOf(stage, moments) ?? goOn(stage);
  }
  witness.tell(`it ends: ${ended}`);
  const recordsAtEnd = (await host.journal.load(run)).length;
  if (!ended.startsWith("!")) await driveOnceMore(stage);
  return { ...stage, ended, recordsAtEnd, records: await host.journal.load(run) };
}

const isFinished = (status: string): boolean => FINISHED.some((each) => each === status);

function endOf(stage: Stage, moments: number): string | undefined {
  const { engines } = stage;
  if (isFinished(stage.status()) && engines.driving().length === 0) return stage.status();
  if (stage.halted()) return `! halted by ${stage.halted()}`;
  return moments > MOST_MOMENTS || engines.lives.length > MOST_LIVES ? "! it does not come to an end" : undefined;
}

function goOn({ engines, clock, status, parked }: Stage): string | undefined {
  if (engines.driving().length === 0 && !parked()) engines.comeBack();
  if (isFinished(status())) for (const life of engines.driving()) life.process.wake();
  return clock.tick() ? undefined : "! nothing goes on";
}

/** Ends are final: late messages and another engine change nothing. */
async function driveOnceMore({ host, run, engines, clock }: Stage): Promise<void> {
  await host.inbox.post(run, { kind: "resume", by: "late" });
  await host.inbox.post(run, { kind: "cancel", by: "late" });
  // Patient: an engine that died at the very end may still hold its claim.
  const life = engines.begin({ patient: true });
  for (let moments = 0; life.came === undefined && moments < MOST_MOMENTS; moments += 1) {
    await clock.quiet();
    if (life.came === undefined && !clock.tick()) return;
  }
}
