import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { startPostgres, type TestPostgres } from "../../../test/support/postgres.ts";
import { SignalboxError } from "../../core/failure/errors.ts";
import type { Effect } from "../../core/journal/effect.ts";
import type { Handlers } from "../../core/ports/host.ts";
import { createAttempt, stampRecords } from "../suite/facts.ts";
import { createHeldWorld } from "../suite/held-world.ts";
import { createDbosHost } from "./host.ts";
import { createStopSignals } from "./stop-signal.ts";
import type { TeamHost } from "./store.ts";
import { openPostgres } from "./tables/database.ts";
import { createNotices } from "./tables/listen-notify.ts";

const never = new AbortController().signal;
let server: TestPostgres;
let url = "";
let host: TeamHost;
let repo = "";
let runs = 0;
let calls: string[] = [];
const heard = new EventTarget();

beforeAll(async () => {
  server = await startPostgres();
  url = await server.team("effects");
});
beforeEach(async () => {
  // A separate repository, so that leftovers of earlier tests do not interfere.
  repo = randomUUID();
  host = await createDbosHost({ url, world: createHeldWorld(), repo });
  calls = [];
});
afterEach(() => host.close());
afterAll(() => server.stop());

describe("effects", () => {
  test("the same id started twice is performed once, and both get its result", async () => {
    await host.serve(handlers({}));
    const effect = await newEffect();
    const both = await Promise.all([host.effects.start(effect, never), host.effects.start(effect, never)]);
    expect(both).toEqual(["perform", "perform"]);
    expect(await host.effects.resume(effect, never)).toBe("perform");
    expect(calls).toEqual(["perform"]);
  });

  test("an effect that threw is recovered when it is resumed, not performed again", async () => {
    const lost = new SignalboxError("DISK_FAILED", "the disk is full", "make room");
    await host.serve(handlers({ perform: () => Promise.reject(lost) }));
    const effect = await newEffect();
    const rejected = { code: "DISK_FAILED", message: "the disk is full", hint: "make room" };
    await expect(host.effects.start(effect, never)).rejects.toMatchObject(rejected);
    expect(await host.effects.resume(effect, never)).toBe("recover");
    expect(await host.effects.resume(effect, never)).toBe("recover");
    expect(calls).toEqual(["perform", "recover"]);
  });

  test("an effect that was stopped is recovered when it is resumed", async () => {
    const stop = new AbortController();
    await host.serve(
      handlers({
        perform: async (signal) => {
          stop.abort();
          await aborted(signal);
          return "stopped";
        },
      }),
    );
    const effect = await newEffect();
    expect(await host.effects.start(effect, stop.signal)).toBe("stopped");
    expect(await host.effects.resume(effect, never)).toBe("recover");
    expect(calls).toEqual(["perform", "recover"]);
  });

  test("an attempt that no worker can perform is withdrawn when it is stopped", async () => {
    await host.serve({ ...handlers({}), needs: () => ["agent:nobody"] });
    const effect = await newEffect();
    const stop = new AbortController();
    const started = host.effects.start(effect, stop.signal);
    await expect.poll(() => host.team.tasks(effect.run)).toMatchObject([{ id: effect.id, worker: null }]);
    stop.abort();
    expect(await started).toEqual({ outcome: "interrupted" });
    expect(await host.effects.start({ ...effect, id: `${effect.id}2` }, AbortSignal.abort())).toEqual({
      outcome: "interrupted",
    });
    expect(await host.team.tasks(effect.run)).toEqual([]);
    expect(calls).toEqual([]);
  });

  test("closing the host stops its effects, and the next host recovers them", async () => {
    const begun = Promise.withResolvers<void>();
    await host.serve(
      handlers({
        perform: async (signal) => {
          begun.resolve();
          await aborted(signal);
          return "stopped";
        },
      }),
    );
    const effect = await newEffect();
    const stopped = host.effects.start(effect, never);
    await begun.promise;
    await host.close();
    expect(await stopped).toBe("stopped");
    host = await createDbosHost({ url, world: createHeldWorld(), repo });
    await host.serve(handlers({}));
    expect(await host.effects.resume(effect, never)).toBe("recover");
  });

  test("an attempt interrupted by a closing worker reports an orderly stop, also to the next owner", async () => {
    const interrupted = () => ({ outcome: "interrupted" }) as const;
    const begun = Promise.withResolvers<void>();
    await host.serve(
      handlers({
        perform: async (signal) => {
          begun.resolve();
          await aborted(signal);
          return interrupted();
        },
      }),
    );
    const effect = await newEffect();
    const stopped = host.effects.start(effect, never);
    await begun.promise;
    await host.close();
    const cut = { outcome: "interrupted", orderly: true, worker: expect.stringMatching(/^.+\/[0-9a-f]{8}$/) };
    const first = await stopped;
    expect(first).toEqual(cut);
    host = await createDbosHost({ url, world: createHeldWorld(), repo });
    await host.serve(handlers({ recover: async () => interrupted() }));
    expect(await host.effects.resume(effect, never)).toEqual(first);
  });

  test("an attempt whose worker died names that worker", async () => {
    await host.serve(handlers({ recover: async () => ({ outcome: "interrupted" }) }));
    const effect = await newEffect();
    const database = await openPostgres({ url, schema: "signalbox", connections: 1, patienceMs: 0 });
    const begun = "INSERT INTO effects (id, begun_at, by_nonce) VALUES ($1, now_ms(), 'build-1/82073146 n')";
    await database.query(begun, [effect.id]);
    await database.close();
    expect(await host.effects.resume(effect, never)).toEqual({ outcome: "interrupted", worker: "build-1/82073146" });
  });

  test("a signal reaches an effect in another process", async () => {
    const here = await openPostgres({ url, schema: "signalbox", connections: 2, patienceMs: 0 });
    const notices = createNotices(here);
    const closing = new AbortController();
    const parts = { database: here, notices, closing: closing.signal };
    const [performer, asker] = [createStopSignals(parts), createStopSignals(parts)];
    const watching = performer.watch();
    const work = await performer.begin("run/a@1");
    await asker.ask("run/a@1");
    await aborted(work.signal);
    await work.end();
    await asker.ask("run/b@1");
    expect((await performer.begin("run/b@1")).signal.aborted).toBe(true);
    closing.abort();
    await watching;
    await notices.close();
    await here.close();
  });
});

describe("drives", () => {
  test("driving a run that is being driven joins it; afterwards it is driven again", async () => {
    const ends = [aborted, () => Promise.resolve()];
    await host.serve(handlers({ drive: (signal) => ends.shift()?.(signal) ?? Promise.resolve() }));
    const { run } = await newEffect();
    const first = host.drive(run);
    await callsReach(["drive"]);
    // Only the second caller's stop can end the first drive, so it runs for as long as joining takes.
    const second = host.drive(run, AbortSignal.abort());
    expect(await Promise.all([first, second])).toEqual([
      { status: "done", exit: 0 },
      { status: "done", exit: 0 },
    ]);
    expect(calls).toEqual(["drive"]);
    await host.drive(run);
    expect(calls).toEqual(["drive", "drive"]);
  });

  test("a signal stops a drive, and its result is what the drive returns", async () => {
    await host.serve(handlers({ drive: aborted }));
    const { run } = await newEffect();
    const stop = new AbortController();
    const driven = host.drive(run, stop.signal);
    await callsReach(["drive"]);
    stop.abort();
    expect(await driven).toEqual({ status: "done", exit: 0 });
  });

  test("a signal to a parked run drives it again on a host that wakes runs, also one posted while there was no host", async () => {
    await host.serve(handlers({}));
    const { run } = await newEffect();
    await host.drive(run);
    await park(run);
    await host.inbox.post(run, { kind: "resume", by: "ada" });
    await host.close();
    host = await createDbosHost({ url, world: createHeldWorld(), repo, wakes: true });
    await host.serve(handlers({}));
    await callsReach(["drive", "drive"]);
    await host.inbox.post(run, { kind: "cancel", by: "ada" });
    await callsReach(["drive", "drive", "drive"]);
  });

  test("a run that a closing worker was driving is driven by a host that wakes runs", async () => {
    await host.serve(handlers({ drive: aborted }));
    const { run } = await newEffect();
    const left = expect(host.drive(run)).rejects.toThrow("closed while it waited");
    await callsReach(["drive"]);
    await host.close();
    await left;
    host = await createDbosHost({ url, world: createHeldWorld(), repo, wakes: true });
    await host.serve(handlers({}));
    await callsReach(["drive", "drive"]);
  });

  test("a run of a worker that was declared dead is driven again, even if no worker took it over in time", async () => {
    await host.close();
    host = await createDbosHost({ url, world: createHeldWorld(), repo, leaseMs: 300, wakes: true });
    const ends = [aborted, () => Promise.resolve()];
    await host.serve(handlers({ drive: (signal) => ends.shift()?.(signal) ?? Promise.resolve() }));
    const { run } = await newEffect();
    const driven = host.drive(run);
    await callsReach(["drive"]);
    const database = await openPostgres({ url, schema: "signalbox", connections: 1, patienceMs: 0 });
    await database.query("UPDATE workers SET dead = TRUE WHERE repo = $1", [repo]);
    await database.close();
    await driven;
    await callsReach(["drive", "drive"]);
  });

  test("an unknown run cannot be driven", async () => {
    await host.serve(handlers({}));
    await expect(host.drive("run-nowhere")).rejects.toMatchObject({ code: "RUN_UNKNOWN" });
  });

  test("nothing is driven before serve(), and a process serves one host at a time", async () => {
    const { run } = await newEffect();
    await expect(host.drive(run)).rejects.toMatchObject({ code: "INTERNAL" });
    await host.serve(handlers({}));
    const second = await createDbosHost({ url, world: createHeldWorld() });
    await expect(second.serve(handlers({}))).rejects.toThrow("one per process");
    await second.close();
    expect(await host.drive(run)).toEqual({ status: "done", exit: 0 });
  });
});

function called(what: string): void {
  calls.push(what);
  heard.dispatchEvent(new Event("call"));
}

async function callsReach(expected: readonly string[]): Promise<void> {
  while (calls.length < expected.length) await once(heard, "call");
  expect(calls).toEqual(expected);
}

async function newEffect(): Promise<Effect<"attempt">> {
  const run = `run-${runs++}`;
  await host.runs.create({ id: run, pipeline: "ledger", repo });
  return createAttempt(run);
}

async function park(run: string): Promise<void> {
  const claimed = await host.runs.claim(run, "engine-a");
  if (!claimed.won) throw new Error(`${claimed.owner} has ${run}`);
  const fact = { type: "run.suspended", status: "waiting", exit: 3, reason: "an approval" } as const;
  await host.journal.append(claimed.lease, stampRecords(run, 1, [fact]));
  await host.runs.release(claimed.lease);
}

type Behaviour = {
  readonly perform?: (signal: AbortSignal) => Promise<unknown>;
  readonly recover?: () => Promise<unknown>;
  readonly drive?: (signal: AbortSignal) => Promise<void>;
};

function handlers({ perform, recover, drive }: Behaviour): Handlers {
  const answer = (verb: string, body?: Behaviour["perform"]) => {
    const say = async (_effect: Effect, signal: AbortSignal) => {
      called(verb);
      return body ? body(signal) : verb;
    };
    return say as unknown as Handlers["perform"]; // the result is only passed on, so a word stands for it
  };
  return {
    drive: async (_run, signal) => {
      called("drive");
      await drive?.(signal);
      return { status: "done", exit: 0 };
    },
    perform: answer("perform", perform),
    recover: answer("recover", recover),
  };
}

async function aborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
}
