import { expect } from "vitest";
import type { Signal } from "../../core/ports/host.ts";
import { SECRET } from "./held-world.ts";
import type { HostCase } from "./scene.ts";

const never = new AbortController().signal;
const CANCEL: Signal = { kind: "cancel", by: "ada", note: "it's enough; '--" };
const ANSWER: Signal = { kind: "answer", approval: "a1", choice: "accept", hash: "h", by: "bo" };
const RESUME: Signal = { kind: "resume", by: "cy", limits: { dispatches: 9, usd: 1.5 } };

export function inboxCases(it: HostCase): void {
  it("signals posted before anyone waited are delivered in order", async ({ host, newRun }) => {
    const run = await newRun();
    for (const signal of [ANSWER, RESUME, CANCEL]) await host.inbox.post(run, signal);
    await host.inbox.changed(run, never);
    const unread = await host.inbox.unread(run);
    expect(unread.map((posted) => posted.letter)).toEqual([ANSWER, RESUME, CANCEL]);
    expect(unread.every((posted) => posted.at > 0)).toBe(true);
  });

  it("secrets in a signal are redacted before it is stored", async ({ host, newRun }) => {
    const run = await newRun();
    await host.inbox.post(run, { kind: "cancel", by: "ada", note: `the key was ${SECRET}` });
    const [posted] = await host.inbox.unread(run);
    expect(posted?.letter).toEqual({ kind: "cancel", by: "ada", note: "the key was [redacted]" });
  });

  it("a signal is delivered until it is marked as read, then never again", async ({ host, owned }) => {
    const lease = await owned();
    await host.inbox.post(lease.run, ANSWER);
    await host.inbox.post(lease.run, CANCEL);
    const [first, second] = await host.inbox.unread(lease.run);
    expect(await host.inbox.unread(lease.run)).toHaveLength(2);
    await host.inbox.read(lease, [first?.id ?? -1]);
    expect(await host.inbox.unread(lease.run)).toEqual([second]);
    await host.inbox.read(lease, [first?.id ?? -1, second?.id ?? -1]);
    expect(await host.inbox.unread(lease.run)).toEqual([]);
  });

  it("a run receives only its own signals", async ({ host, owned }) => {
    const [mine, other] = [await owned(), await owned()];
    await host.inbox.post(other.run, CANCEL);
    expect(await host.inbox.unread(mine.run)).toEqual([]);
    const [foreign] = await host.inbox.unread(other.run);
    await host.inbox.read(mine, [foreign?.id ?? -1]);
    expect(await host.inbox.unread(other.run)).toEqual([foreign]);
  });

  it("a stale claim marks nothing as read", async ({ host, owned, claimed, lapse }) => {
    const stale = await owned("engine-a");
    await host.inbox.post(stale.run, CANCEL);
    const [letter] = await host.inbox.unread(stale.run);
    await lapse();
    await claimed(stale.run, "engine-b");
    await expect(host.inbox.read(stale, [letter?.id ?? -1])).rejects.toMatchObject({ code: "FENCED" });
    expect(await host.inbox.unread(stale.run)).toEqual([letter]);
  });

  it("a signal wakes a waiter", async ({ host, newRun }) => {
    const run = await newRun();
    expect(await host.inbox.unread(run)).toEqual([]);
    const changed = host.inbox.changed(run, never);
    await host.inbox.post(run, ANSWER);
    await changed;
    expect(await host.inbox.unread(run)).toMatchObject([{ letter: ANSWER }]);
  });

  it("a signal between checking and waiting is not missed", async ({ host, newRun }) => {
    const run = await newRun();
    expect(await host.inbox.unread(run)).toEqual([]);
    await host.inbox.post(run, ANSWER);
    await host.inbox.changed(run, never);
    expect(await host.inbox.unread(run)).toHaveLength(1);
  });

  it("a signal that was returned and left unread does not wake its reader again", async ({ host, newRun }) => {
    const run = await newRun();
    await host.inbox.post(run, ANSWER);
    await host.inbox.unread(run);
    let woken = false;
    const changed = host.inbox.changed(run, never).then(() => {
      woken = true;
    });
    for (let look = 0; look < 10; look++) await host.inbox.unread(run);
    expect(woken).toBe(false);
    await host.inbox.post(run, CANCEL);
    await changed;
    expect(await host.inbox.unread(run)).toMatchObject([{ letter: ANSWER }, { letter: CANCEL }]);
  });

  it("a signal from another handle wakes a waiter here", async ({ host, newRun, another }) => {
    const other = await another();
    const run = await newRun();
    expect(await host.inbox.unread(run)).toEqual([]);
    const changed = host.inbox.changed(run, never);
    await other.inbox.post(run, ANSWER);
    await changed;
    expect(await host.inbox.unread(run)).toMatchObject([{ letter: ANSWER }]);
  });

  it("signals outlive every handle", async ({ host, newRun, another }) => {
    const next = await another();
    const run = await newRun();
    await host.inbox.post(run, RESUME);
    await host.close();
    expect(await next.inbox.unread(run)).toMatchObject([{ letter: RESUME }]);
  });

  it("waiting ends when its signal fires", async ({ host, newRun }) => {
    const run = await newRun();
    const stop = new AbortController();
    const changed = host.inbox.changed(run, stop.signal);
    stop.abort();
    await changed;
    await host.inbox.changed(run, stop.signal);
    expect(await host.inbox.unread(run)).toEqual([]);
  });

  it("a signal to an unknown run is refused", async ({ host }) => {
    await expect(host.inbox.post("run-nowhere", CANCEL)).rejects.toMatchObject({ code: "RUN_UNKNOWN" });
  });
}
