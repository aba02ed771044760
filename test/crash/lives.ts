import { createHash } from "node:crypto";
import { copyFileSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Pipeline } from "../../src/core/authoring/pipeline.ts";
import type { Effect } from "../../src/core/journal/effect.ts";
import type { JournalRecord } from "../../src/core/journal/record.ts";
import type { Host } from "../../src/core/ports/host.ts";
import type { World } from "../../src/core/ports/world.ts";
import type { Engine, EngineDeps } from "../../src/engine/engine.ts";

/** The modules under test; another copy of the sources may be loaded instead. */
export type Sources = {
  createEngine(parts: EngineDeps): Engine;
  toNormalForm(records: readonly JournalRecord[]): readonly string[];
  createMemoryHost(options: object): Host;
  createMemoryStore(bytes?: Uint8Array): { bytes(): Uint8Array };
  createSqliteHost(options: object): Host;
};

export async function loadSources(src: string): Promise<Sources> {
  const load = (path: string) => import(join(src, path)) as Promise<Record<string, unknown>>;
  const [engine, form, memory, store, sqlite] = await Promise.all(
    [
      "engine/engine.ts",
      "core/text/normal-form.ts",
      "hosts/memory/host.ts",
      "hosts/memory/store.ts",
      "hosts/sqlite/host.ts",
    ].map(load),
  );
  // The modules are the project's own, or a copy with one changed line: they have the same exports.
  return { ...engine, ...form, ...memory, ...store, ...sqlite } as unknown as Sources;
}

/** Creates a world without time or chance, so that two journals can be compared byte for byte. */
export function stillWorld(): World {
  return {
    now: () => 1_900_000_000_000,
    newId: () => "0123456789abcdef0123456789abcdef",
    random: () => 0.5,
    sleep: (ms, signal) => delay(ms > 0 && ms < 5_000 ? 1 : 50, undefined, signal && { signal }).catch(() => undefined),
    hash: (text) => createHash("sha256").update(text).digest("hex"),
    redact: (text) => text,
  };
}

/** A store of runs, and a copy of it as another process would find it after a crash. */
export type Memory = { open(): Host; fork(): Memory; remove(): void };

export function memoryMemory(sources: Sources, bytes?: Uint8Array): Memory {
  const store = sources.createMemoryStore(bytes);
  return {
    open: () => sources.createMemoryHost({ world: stillWorld(), leaseMs: 0, store }),
    fork: () => memoryMemory(sources, store.bytes()),
    remove: () => {},
  };
}

export function sqliteMemory(sources: Sources, from?: string): Memory {
  // Uses a disk in memory if available: this suite tests order, not the disk.
  const dir = mkdtempSync(join(existsSync("/dev/shm") ? "/dev/shm" : tmpdir(), "signalbox-crash-"));
  const file = join(dir, "signalbox.db");
  if (from) for (const part of ["", "-wal"]) if (existsSync(from + part)) copyFileSync(from + part, file + part);
  const opened: Host[] = [];
  return {
    open: () => {
      const host = sources.createSqliteHost({ file, world: stillWorld(), leaseMs: 0 });
      opened.push(host);
      return host;
    },
    fork: () => sqliteMemory(sources, file),
    remove: () => {
      for (const host of opened) void host.close();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

export type Scenario = {
  readonly name: string;
  readonly pipeline: Pipeline;
  readonly input: unknown;
  readonly approvals: "interactive" | "autonomous";
  readonly commands: readonly { readonly name: string; readonly run: string }[];
  /** Pure: the same effect always has the same result. */
  perform(effect: Effect): unknown;
  /** Answer of the person; "resume" for a pause. */
  answer(question: { readonly title: string; readonly choices: readonly string[] }): string;
};

/** Facts about a run that agents and git would know, stored outside every engine. */
export type Oracle = {
  readonly starts: Map<string, number>;
  readonly commits: Set<string>;
  readonly interrupted: Map<string, number>;
};
export const newOracle = (): Oracle => ({ starts: new Map(), commits: new Set(), interrupted: new Map() });

export const copyOf = ({ starts, commits, interrupted }: Oracle): Oracle => ({
  starts: new Map(starts),
  commits: new Set(commits),
  interrupted: new Map(interrupted),
});

export type Life = { readonly host: Host; readonly engine: Engine };

/** Runs one engine on a host. `adopts` is what a later engine finds of a running attempt. */
export async function live(
  sources: Sources,
  at: {
    readonly host: Host;
    readonly scenario: Scenario;
    readonly oracle: Oracle;
    readonly owner: string;
    readonly adopts: boolean;
  },
): Promise<Life> {
  const { host, scenario, oracle } = at;
  const played = (effect: Effect): unknown => {
    if (effect.kind === "commit") {
      // The anchor names the journal's head, which also counts engines; the committed content does not.
      const message = effect.request.message.replace(/\s*Signalbox-Chain: .*$/, "");
      return scenario.perform({ ...effect, request: { ...effect.request, message } });
    }
    if (effect.kind !== "attempt") return scenario.perform(effect);
    const key = effect.id.slice(0, effect.id.lastIndexOf("@"));
    const attempt = effect.request.attempt - (oracle.interrupted.get(key) ?? 0);
    return scenario.perform({ ...effect, request: { ...effect.request, attempt } });
  };
  const perform = async (effect: Effect): Promise<unknown> => {
    if (effect.kind === "attempt") oracle.starts.set(effect.id, (oracle.starts.get(effect.id) ?? 0) + 1);
    if (effect.kind === "commit") oracle.commits.add(JSON.stringify(effect.request));
    return played(effect);
  };
  const recover = async (effect: Effect): Promise<unknown> => {
    if (effect.kind !== "attempt") return perform(effect);
    if (at.adopts && oracle.starts.has(effect.id)) return played(effect);
    const key = effect.id.slice(0, effect.id.lastIndexOf("@"));
    oracle.interrupted.set(key, (oracle.interrupted.get(key) ?? 0) + 1);
    return { outcome: "interrupted", session: effect.id };
  };
  const engine = sources.createEngine({
    host,
    world: stillWorld(),
    pipelines: (name) => (name === scenario.pipeline.name ? scenario.pipeline : undefined),
    // The scenario answers each kind of effect with the matching result.
    performer: { perform: perform as never, recover: recover as never },
    owner: at.owner,
    waits: false,
    patient: false,
  });
  await host.serve(engine.handlers);
  return { host, engine };
}

export async function begin(life: Life, scenario: Scenario): Promise<string> {
  return life.engine.start({
    pipeline: scenario.pipeline.name,
    input: scenario.input,
    repo: "/repo",
    base: { commit: "c0", tree: "t0" },
    approvals: scenario.approvals,
    commands: scenario.commands,
    exempt: "nothing is checked here",
    limits: {},
    minConfidence: "medium",
  });
}

const FINISHED: ReadonlySet<string> = new Set(["done", "error", "blocked", "stalled", "canceled"]);
const PATIENCE = 60;

/** Drives the run and answers its questions until it has ended. */
export async function toEnd(host: Host, run: string, scenario: Scenario): Promise<string> {
  for (let turn = 0; turn < PATIENCE; turn += 1) {
    const { status } = await host.drive(run);
    if (FINISHED.has(status)) return status;
    await answerAll(host, run, scenario);
  }
  throw new Error(`${scenario.name} did not end`);
}

async function answerAll(host: Host, run: string, scenario: Scenario): Promise<void> {
  const records = await host.journal.load(run);
  const decided = new Set(records.flatMap((record) => (record.type === "approval.decided" ? [record.approval] : [])));
  for (const asked of records) {
    if (asked.type !== "approval.requested" || decided.has(asked.approval)) continue;
    if (asked.pause) await host.inbox.post(run, { kind: "resume", by: "person" });
    else {
      const { approval, hash } = asked;
      await host.inbox.post(run, { kind: "answer", approval, hash, choice: scenario.answer(asked), by: "person" });
    }
  }
}
