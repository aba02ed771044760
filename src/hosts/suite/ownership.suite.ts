import { expect } from "vitest";
import { createCheckRow, createStep, listSeqs, stampRecords } from "./facts.ts";
import type { HostCase } from "./scene.ts";

const RACES = 200;

export function ownershipCases(it: HostCase): void {
  it("a claim is refused while another owner's lease lives, and names that owner", async ({ host, owned }) => {
    const lease = await owned("engine-a");
    const second = await host.runs.claim(lease.run, "engine-b");
    expect(second).toMatchObject({ won: false, owner: "engine-a" });
    const row = await host.runs.get(lease.run);
    expect(row).toMatchObject({ owner: "engine-a", fence: lease.fence });
    expect(second.won ? undefined : second.until).toBe(row?.leaseUntil);
  });

  it("a live lease is not given twice to the same owner", async ({ host, owned }) => {
    const lease = await owned("engine-a");
    expect(await host.runs.claim(lease.run, "engine-a")).toMatchObject({ won: false, owner: "engine-a" });
  });

  it("a lapsed lease is given to the next owner, with a higher fence", async ({ owned, claimed, lapse }) => {
    const first = await owned("engine-a");
    await lapse();
    const second = await claimed(first.run, "engine-b");
    expect(second.fence).toBeGreaterThan(first.fence);
  });

  it("a renewed lease stays valid", async ({ host, owned, lapse }) => {
    const lease = await owned("engine-a");
    await lapse();
    expect(await host.runs.renew(lease)).toBe(true);
    expect(await host.runs.claim(lease.run, "engine-b")).toMatchObject({ won: false, owner: "engine-a" });
  });

  it("a released run is free at once, and its old claim is invalid", async ({ host, owned, claimed }) => {
    const first = await owned("engine-a");
    await host.runs.release(first);
    expect(await host.runs.get(first.run)).toMatchObject({ owner: null, leaseUntil: null });
    expect(await host.runs.renew(first)).toBe(false);
    const second = await claimed(first.run, "engine-b");
    expect(second.fence).toBeGreaterThan(first.fence);
  });

  it("an owner that was paused past its lease is fenced when it wakes up", async (scene) => {
    const other = await scene.another();
    const paused = await scene.owned("engine-a");
    await scene.host.journal.append(paused, stampRecords(paused.run, 1, [createStep(1)]));
    await scene.lapse();
    const next = await scene.claimed(paused.run, "engine-b", other);
    const late = stampRecords(paused.run, 2, [createStep(2, [createCheckRow({ tool: "late" })])]);
    await expect(scene.host.journal.append(paused, late)).rejects.toMatchObject({ code: "FENCED" });
    expect(await scene.host.runs.renew(paused)).toBe(false);
    await scene.host.runs.release(paused);
    expect(await scene.host.runs.get(paused.run)).toMatchObject({ owner: "engine-b", fence: next.fence });
    await other.journal.append(next, stampRecords(paused.run, 2, [createStep(3)]));
    expect(await scene.host.journal.load(paused.run)).toMatchObject([{ value: { n: 1 } }, { value: { n: 3 } }]);
    const rows = "SELECT CAST(COUNT(*) AS INTEGER) AS actual FROM anvil_checks WHERE run_id = :run";
    expect(await scene.host.ledger.ask(rows, { run: paused.run })).toEqual({ actual: 0 });
  });

  it("an owner whose lease lapsed unnoticed is not fenced", async ({ host, owned, lapse }) => {
    const lease = await owned();
    await lapse();
    await host.journal.append(lease, stampRecords(lease.run, 1, [createStep(1)]));
    expect(listSeqs(await host.journal.load(lease.run))).toEqual([1]);
  });

  it(`of two engines that race for a run exactly one wins, ${RACES} times`, async (scene) => {
    const other = await scene.another();
    for (let race = 0; race < RACES; race++) {
      const run = await scene.newRun();
      const hosts = race % 2 ? [scene.host, other] : [other, scene.host];
      const results = await Promise.all(hosts.map((host, index) => host.runs.claim(run, `engine-${index}`)));
      const winners = results.filter((result) => result.won);
      expect(winners).toHaveLength(1);
      const owner = winners[0]?.lease.owner;
      expect(results.find((result) => !result.won)).toMatchObject({ owner });
    }
  });

  it("an unknown run cannot be claimed", async ({ host }) => {
    await expect(host.runs.claim("run-nowhere", "engine-a")).rejects.toMatchObject({ code: "RUN_UNKNOWN" });
  });
}
