import { hash } from "node:crypto";
import type { Limits } from "../../src/core/budget/budget.ts";
import type { AttemptResult, Effect } from "../../src/core/journal/effect.ts";
import type { JournalRecord } from "../../src/core/journal/record.ts";
import type { Host, Signal, StampedRecord } from "../../src/core/ports/host.ts";
import type { World } from "../../src/core/ports/world.ts";
import { createEngine } from "../../src/engine/engine.ts";
import { createMemoryHost } from "../../src/hosts/memory/host.ts";
import { createMemoryStore, type MemoryStore } from "../../src/hosts/memory/store.ts";
import type { Scenario } from "../support/answers/scenario.ts";
import { scenarios } from "../support/answers.ts";
import { type Chance, chanceOf } from "./chance.ts";
import { type Clock, simulatedClock } from "./clock.ts";
import { createEngines, LEASE_MS } from "./engines.ts";
import { diskError, drawFaults, EXCUSED } from "./faults.ts";
import { observed } from "./observed.ts";
import { createPeople } from "./people.ts";
import type { Scene } from "./scene.ts";
import type { Order, Stage } from "./schedule.ts";
import { createStagehand } from "./stagehand.ts";
import { createTrees } from "./trees.ts";
import { createWitness } from "./witness.ts";

/** Degrees of misbehavior, from none to most of the agents. */
const TEMPERS = { calm: 0, mild: 0.02, rough: 0.08, wild: 0.3 } as const;

/** A question that is still open after this time was missed: a `resume` may have come before its pause. */
const FORGOTTEN_MS = 45 * 60_000;

/** Records after which a person cancels: longer runs show little more and cost much. */
const LONGEST = 900;

/** Suspensions that only a person ends. */
const WAITS: ReadonlySet<string> = new Set(["waiting", "paused", "budget", "time"]);

export const PIPELINES: readonly string[] = [...new Set(scenarios.map(({ pipeline }) => pipeline.name))];

/** Prepares everything that a seed determines, up to the first engine that takes the run. */
export async function setUp({ seed, pipeline: wanted }: Order): Promise<Stage> {
  const name = wanted ?? PIPELINES[seed % PIPELINES.length];
  const chance = chanceOf(`${seed} ${name}`);
  const scenario = chooseScenario(String(name), chance.of("scenario"));
  const temper = chance.of("temper").weighed({ calm: 8, mild: 39, rough: 40, wild: 13 });
  const clock = simulatedClock();
  const witness = createWitness(clock);
  // No scenario has more parallel work than its pipeline allows, so the schedule allows less.
  const cap = chance.of("cap").between(1, scenario.pipeline.cap);
  const pipeline = observed(scenario.pipeline, { cap, witness });
  const store = createMemoryStore();
  const world = createWorld(clock, chance.of("ids"));
  const open = createOpener(store, world);
  const host = open();
  const limits = drawLimits(chance.of("limits"));
  const order = { scenario, limits, approvals: chance.odds(0.4) ? "autonomous" : "interactive" } as const;
  const run = await startRun({ ...order, host, world, pipeline });
  witness.tell(`seed ${seed}: ${scenario.name}, ${temper}, ${order.approvals}, limits ${JSON.stringify(limits)}`);

  const post = (signal: Signal): void => {
    witness.letters.push({ at: clock.now(), letter: signal });
    witness.tell(`${signal.by} posts ${JSON.stringify(signal)}`);
    clock.touch();
    // A memory host accepts a message before it returns the promise.
    void host.inbox.post(run, signal);
  };
  const people = createPeople({ chance: chance.of("people"), clock, post, whim: temper === "calm" ? 0 : 0.2 });
  const faults = drawFaults(chance.of("faults"), temper === "calm");
  const scene = createScene({ scenario, clock, chance, witness, mischief: TEMPERS[temper], disks: faults.disks });
  let halted: string | undefined;
  /** People react to a suspended run, even if the engine died right after it reported the suspension. */
  const attend = ({ status, code, reason }: Extract<StampedRecord, { type: "run.suspended" }>): void => {
    if (status === "broken" && !EXCUSED.has(code ?? "")) halted = `${code}: ${reason}`;
    if (status === "budget" || status === "time") people.letGoOn(findLimits(limits, witness.records()));
    for (const asked of openQuestions(witness.records())) {
      const isOpen = () => openQuestions(witness.records()).some(({ approval }) => approval === asked.approval);
      clock.after(FORGOTTEN_MS, () => isOpen() && people.answer(asked));
    }
  };
  const engines = createEngines({
    run,
    pipeline,
    open,
    world,
    clock,
    chance: chance.of("engines"),
    witness,
    faults,
    post,
    stagehand: createStagehand(scene),
    onStored: (records) => {
      if (records.some(({ seq }) => seq === LONGEST)) post({ kind: "cancel", by: "ada", note: "it takes too long" });
      for (const record of records) {
        if (record.type === "approval.requested") people.see(record);
        if (record.type === "run.suspended") attend(record);
      }
    },
  });
  for (const { afterMs, what } of faults.blows) {
    clock.after(afterMs, () => {
      // Reads of an ended run are ignored.
      if (witness.ended) return;
      if (what === "edited") edit(scene);
      else engines.strike(what);
    });
  }
  engines.begin();
  const status = () => store.runs[run]?.status ?? "";
  const parked = () => WAITS.has(status()) && store.letters.every((letter) => letter.read);
  return { seed, scenario, pipeline, run, host, world, clock, witness, engines, status, parked, halted: () => halted };
}

/** Opens handles on one store. Each record is parsed once: the journals are long, and engines start often. */
function createOpener(store: MemoryStore, world: World): () => Host {
  const records: JournalRecord[] = [];
  const load: Host["journal"]["load"] = async (run, after = 0) => {
    const texts = store.journal[run] ?? [];
    // Only `append` writes these texts.
    for (const text of texts.slice(records.length)) records.push(JSON.parse(text) as JournalRecord);
    return records.slice(after);
  };
  return () => {
    const host = createMemoryHost({ world, store, leaseMs: LEASE_MS });
    return { ...host, journal: { ...host.journal, load } };
  };
}

/** Mostly picks the successful scenario: the others stop early. */
function chooseScenario(name: string, chance: Chance): Scenario {
  const own = scenarios.filter(({ pipeline }) => pipeline.name === name);
  const good = own.filter(({ expect }) => expect.status === "done" && expect.commits > 0);
  if (own.length === 0) throw new Error(`there is no scenario of ${name}`);
  return chance.pick(good.length > 0 && chance.odds(0.75) ? good : own);
}

function createWorld(clock: Clock, chance: Chance): World {
  const digits = () => chance.between(0, 0xffff_ffff).toString(16).padStart(8, "0");
  return {
    now: clock.now,
    newId: () => `${digits()}${digits()}`.slice(0, 20).padEnd(20, "0"),
    random: chance.next,
    sleep: clock.sleep,
    hash: (text) => hash("sha256", text),
    redact: (text) => text,
  };
}

function drawLimits(chance: Chance): Limits {
  if (chance.odds(0.75)) return {};
  const kind = chance.weighed({ dispatches: 2, usd: 1, timeMs: 1 });
  if (kind === "dispatches") return { dispatches: chance.between(1, 40) };
  return kind === "usd" ? { usd: chance.magnitude(10, 500) / 100 } : { timeMs: chance.magnitude(60_000, 7_200_000) };
}

type StartRequest = Pick<Stage, "scenario" | "host" | "world" | "pipeline"> & {
  readonly limits: Limits;
  readonly approvals: "interactive" | "autonomous";
};

function startRun({ scenario, host, world, pipeline, limits, approvals }: StartRequest): Promise<string> {
  const nobody = () => Promise.reject(new Error("nobody performs anything before a run is driven"));
  const performer = { perform: nobody, recover: nobody };
  const engine = createEngine({ host, world, performer, pipelines: () => pipeline, owner: "starter", ...ALONE });
  return engine.start({
    pipeline: pipeline.name,
    input: scenario.input,
    repo: "/repo",
    base: { commit: "c0", tree: "base" },
    approvals,
    commands: [...scenario.commands],
    exempt: "nothing is checked here",
    limits,
    minConfidence: "medium",
    ...("policy" in scenario ? { policy: scenario.policy } : {}),
  });
}
const ALONE = { waits: false, patient: false };

type Troubles = Pick<Scene, "clock" | "chance" | "witness"> & {
  readonly scenario: Scenario;
  readonly mischief: number;
  readonly disks: ReadonlySet<number>;
};

function createScene({ scenario, mischief, disks, ...parts }: Troubles): Scene {
  const trees = createTrees();
  let effects = 0;
  const play = (effect: Effect<"attempt">): AttemptResult => {
    const request = { ...effect.request, tree: trees.paper(effect.request.tree) };
    const result = scenario.perform({ ...effect, request }) as AttemptResult;
    if (result.outcome !== "done" || result.after === undefined) return result;
    return { ...result, after: trees.name(result.after) };
  };
  return {
    ...parts,
    trees,
    checkout: new Map(),
    runs: new Map(),
    cast: { pipeline: scenario.pipeline, play, trees, mischief, now: parts.clock.now },
    paper: scenario.perform,
    trouble: mischief,
    broken() {
      effects += 1;
      return disks.has(effects) ? diskError() : undefined;
    },
  };
}

/** A person edits a file of the checkout that the run uses, and reverts the edit later. */
function edit({ checkout, clock, witness }: Scene): void {
  for (const [path, text] of checkout) {
    witness.tell(`a person edits ${path}`);
    checkout.set(path, `${text}\n`);
    clock.after(600_000, () => {
      if (checkout.get(path) === `${text}\n`) checkout.set(path, text);
    });
  }
}

function findLimits(first: Limits, records: readonly StampedRecord[]): Limits {
  return Object.assign({}, first, ...records.map((record) => (record.type === "run.resumed" ? record.limits : {})));
}

function openQuestions(records: readonly StampedRecord[]): readonly JournalRecord<"approval.requested">[] {
  const decided = new Set(records.flatMap((record) => (record.type === "approval.decided" ? [record.approval] : [])));
  return records.filter((record) => record.type === "approval.requested").filter((each) => !decided.has(each.approval));
}
