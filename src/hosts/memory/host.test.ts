import { describe, expect, test } from "vitest";
import { hostSuite } from "../host.suite.ts";
import { createCheckRow, createStep, stampRecords } from "../suite/facts.ts";
import { createHeldWorld } from "../suite/held-world.ts";
import { createMemoryHost } from "./host.ts";
import { createMemoryStore } from "./store.ts";

const LEASE_MS = 1_000;

hostSuite("memory", async () => {
  const world = createHeldWorld();
  const store = createMemoryStore();
  const open = () => createMemoryHost({ world, store, leaseMs: LEASE_MS });
  const host = open();
  return {
    host,
    another: async () => open(),
    lapse: async () => world.advance(LEASE_MS + 1),
    close: () => host.close(),
  };
});

describe("memory host", () => {
  test("a host created from the stored bytes has all data", async () => {
    const world = createHeldWorld();
    const store = createMemoryStore();
    const before = createMemoryHost({ world, store });
    await before.runs.create({ id: "run-1", pipeline: "ledger", repo: "/repo" });
    const claimed = await before.runs.claim("run-1", "engine-a");
    if (!claimed.won) throw new Error("nobody else is here");
    await before.journal.append(
      claimed.lease,
      stampRecords("run-1", 1, [createStep(1, [createCheckRow()]), createStep(2)]),
    );
    await before.inbox.post("run-1", { kind: "cancel", by: "ada" });
    const digest = await before.blobs.put("a text");

    const after = createMemoryHost({ world, store: createMemoryStore(store.bytes()) });
    expect(await after.journal.load("run-1")).toEqual(await before.journal.load("run-1"));
    expect(await after.runs.list()).toEqual(await before.runs.list());
    expect(await after.inbox.unread("run-1")).toEqual(await before.inbox.unread("run-1"));
    expect(await after.blobs.get(digest)).toBe("a text");
    const count = "SELECT CAST(COUNT(*) AS INTEGER) AS actual FROM anvil_checks WHERE run_id = :run";
    expect(await after.ledger.ask(count, { run: "run-1" })).toEqual({ actual: 1 });
    expect(await after.runs.claim("run-1", "engine-b")).toMatchObject({ won: false, owner: "engine-a" });
  });

  test("a lease lapses to the millisecond", async () => {
    const world = createHeldWorld();
    const host = createMemoryHost({ world, leaseMs: LEASE_MS });
    await host.runs.create({ id: "run-1", pipeline: "ledger", repo: "/repo" });
    await host.runs.claim("run-1", "engine-a");
    world.advance(LEASE_MS - 1);
    expect(await host.runs.claim("run-1", "engine-b")).toMatchObject({ won: false });
    world.advance(1);
    expect(await host.runs.claim("run-1", "engine-b")).toMatchObject({ won: true });
  });
});
