import { describe, expect, test } from "vitest";
import { hostSuite } from "../host.suite.ts";
import { checkRow, stamped, step } from "../suite/facts.ts";
import { heldWorld } from "../suite/held-world.ts";
import { memoryHost } from "./host.ts";
import { memoryStore } from "./store.ts";

const LEASE_MS = 1_000;

hostSuite("memory", async () => {
  const world = heldWorld();
  const store = memoryStore();
  const open = () => memoryHost({ world, store, leaseMs: LEASE_MS });
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
    const world = heldWorld();
    const store = memoryStore();
    const before = memoryHost({ world, store });
    await before.runs.create({ id: "run-1", pipeline: "ledger", repo: "/repo" });
    const claimed = await before.runs.claim("run-1", "engine-a");
    if (!claimed.won) throw new Error("nobody else is here");
    await before.journal.append(claimed.lease, stamped("run-1", 1, [step(1, [checkRow()]), step(2)]));
    await before.inbox.post("run-1", { kind: "cancel", by: "ada" });
    const digest = await before.blobs.put("a text");

    const after = memoryHost({ world, store: memoryStore(store.bytes()) });
    expect(await after.journal.load("run-1")).toEqual(await before.journal.load("run-1"));
    expect(await after.runs.list()).toEqual(await before.runs.list());
    expect(await after.inbox.unread("run-1")).toEqual(await before.inbox.unread("run-1"));
    expect(await after.blobs.get(digest)).toBe("a text");
    const count = "SELECT CAST(COUNT(*) AS INTEGER) AS actual FROM anvil_checks WHERE run_id = :run";
    expect(await after.ledger.ask(count, { run: "run-1" })).toEqual({ actual: 1 });
    expect(await after.runs.claim("run-1", "engine-b")).toMatchObject({ won: false, owner: "engine-a" });
  });

  test("a lease lapses to the millisecond", async () => {
    const world = heldWorld();
    const host = memoryHost({ world, leaseMs: LEASE_MS });
    await host.runs.create({ id: "run-1", pipeline: "ledger", repo: "/repo" });
    await host.runs.claim("run-1", "engine-a");
    world.advance(LEASE_MS - 1);
    expect(await host.runs.claim("run-1", "engine-b")).toMatchObject({ won: false });
    world.advance(1);
    expect(await host.runs.claim("run-1", "engine-b")).toMatchObject({ won: true });
  });
});
