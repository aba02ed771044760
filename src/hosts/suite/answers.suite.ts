import { expect } from "vitest";
import type { RecordBody } from "../../core/journal/record.ts";
import type { Host, Lease, Signal } from "../../core/ports/host.ts";
import { stampRecords } from "./facts.ts";
import type { HostCase } from "./scene.ts";

const QUESTION = { key: "1/ask", approval: "a1", hash: "h" } as const;
const ASKED: RecordBody = {
  type: "approval.requested",
  ...QUESTION,
  title: 'Keep it? "type":"approval.decided"',
  show: null,
  choices: ["keep", "abort"],
  auto: "keep",
};
const answer = (by: string, more: Partial<Extract<Signal, { kind: "answer" }>> = {}): Signal => {
  return { kind: "answer", approval: "a1", choice: "keep", hash: "h", by, ...more };
};

async function ask(host: Host, lease: Lease, ...more: readonly RecordBody[]): Promise<void> {
  await host.journal.append(lease, stampRecords(lease.run, 1, [ASKED, ...more]));
}

const unreadOf = async (host: Host, run: string) => (await host.inbox.unread(run)).map(({ letter: signal }) => signal);

export function answerCases(it: HostCase): void {
  it("[A-32] a second answer is not stored, and its sender learns who answered, what and when", async ({
    host,
    owned,
  }) => {
    const lease = await owned();
    await ask(host, lease);
    expect(await host.inbox.post(lease.run, answer("ada"))).toBeUndefined();
    const earlier = await host.inbox.post(lease.run, answer("bo", { choice: "abort" }));
    expect(earlier).toEqual({ choice: "keep", by: "ada", at: expect.any(Number) });
    expect(earlier?.at).toBeGreaterThan(0);
    expect(await unreadOf(host, lease.run)).toEqual([answer("ada")]);
  });

  it("[A-32] an answer to a run with a pending cancel is not stored, and its sender learns who canceled", async ({
    host,
    owned,
  }) => {
    const lease = await owned();
    await ask(host, lease);
    expect(await host.inbox.post(lease.run, { kind: "cancel", by: "ada" })).toBeUndefined();
    const told = { choice: "cancel", by: "ada", at: expect.any(Number) };
    expect(await host.inbox.post(lease.run, answer("bo"))).toEqual(told);
    expect(await host.inbox.post(lease.run, { kind: "resume", by: "bo", approval: "a1" })).toEqual(told);
    expect(await unreadOf(host, lease.run)).toEqual([{ kind: "cancel", by: "ada" }]);
  });

  it("[A-32] of twenty answers at once from two handles exactly one is taken", async ({ host, owned, another }) => {
    const other = await another();
    const lease = await owned();
    await ask(host, lease);
    const posts = Array.from({ length: 20 }, (_, n) =>
      (n % 2 === 0 ? host : other).inbox.post(lease.run, answer(`person-${n}`)),
    );
    const told = await Promise.all(posts);
    const winner = told.indexOf(undefined);
    expect(told.filter((each) => each === undefined)).toHaveLength(1);
    expect(new Set(told.flatMap((each) => each?.by ?? []))).toEqual(new Set([`person-${winner}`]));
    expect(await unreadOf(host, lease.run)).toEqual([answer(`person-${winner}`)]);
  });

  it("[A-32] of twenty answers at once through one handle exactly one is taken", async ({ host, newRun }) => {
    const run = await newRun();
    const posts = Array.from({ length: 20 }, (_, n) => host.inbox.post(run, answer(`person-${n}`)));
    expect((await Promise.all(posts)).filter((each) => each === undefined)).toHaveLength(1);
    expect(await unreadOf(host, run)).toHaveLength(1);
  });

  it("[A-32] an answer that was decided still counts after it was read", async ({ host, owned }) => {
    const lease = await owned();
    await host.inbox.post(lease.run, answer("ada"));
    await ask(host, lease, { type: "approval.decided", ...QUESTION, choice: "keep", by: "ada" });
    const [posted] = await host.inbox.unread(lease.run);
    await host.inbox.read(lease, [posted?.id ?? -1]);
    expect(await host.inbox.post(lease.run, answer("bo"))).toMatchObject({ choice: "keep", by: "ada" });
  });

  it("[A-32] a decision without a posted answer counts too", async ({ host, owned }) => {
    const lease = await owned();
    await ask(host, lease, { type: "approval.decided", ...QUESTION, choice: "abort", by: "automatic" });
    expect(await host.inbox.post(lease.run, answer("ada"))).toMatchObject({ choice: "abort", by: "automatic" });
  });

  it("[A-32] an answer to other content, or with an invalid choice, does not block other answers", async ({
    host,
    owned,
  }) => {
    const lease = await owned();
    await ask(host, lease);
    await host.inbox.post(lease.run, answer("ada", { hash: "of what was shown before" }));
    await host.inbox.post(lease.run, answer("bo", { choice: "burn" }));
    expect(await host.inbox.post(lease.run, answer("cy"))).toBeUndefined();
    const late = await host.inbox.post(lease.run, answer("di", { hash: "of what was shown before" }));
    expect(late).toMatchObject({ by: "cy" });
  });

  it("[A-32] an answer that was read and not accepted leaves the question open", async ({ host, owned }) => {
    const lease = await owned();
    await host.inbox.post(lease.run, answer("ada"));
    const [posted] = await host.inbox.unread(lease.run);
    await host.inbox.read(lease, [posted?.id ?? -1]);
    expect(await host.inbox.post(lease.run, answer("bo"))).toBeUndefined();
  });

  it("[A-32] of two resumes of one pause one counts, and other signals are never refused", async ({ host, owned }) => {
    const lease = await owned();
    await ask(host, lease);
    const resume = (by: string): Signal => ({ kind: "resume", approval: "a1", by });
    expect(await host.inbox.post(lease.run, resume("ada"))).toBeUndefined();
    expect(await host.inbox.post(lease.run, resume("bo"))).toMatchObject({ choice: "resume", by: "ada" });
    expect(await host.inbox.post(lease.run, { kind: "resume", by: "cy", limits: { usd: 2 } })).toBeUndefined();
    expect(await host.inbox.post(lease.run, { kind: "cancel", by: "di" })).toBeUndefined();
  });

  it("[A-32] of twenty concurrent cancels one counts, and the other senders learn whose", async ({
    host,
    newRun,
    another,
  }) => {
    const other = await another();
    const run = await newRun();
    const posts = Array.from({ length: 20 }, (_, n) =>
      (n % 2 === 0 ? host : other).inbox.post(run, { kind: "cancel", by: `person-${n}` }),
    );
    const told = await Promise.all(posts);
    const by = `person-${told.indexOf(undefined)}`;
    expect(told.filter((each) => each !== undefined)).toEqual(
      Array(19).fill({ choice: "cancel", by, at: expect.any(Number) }),
    );
    expect(await unreadOf(host, run)).toEqual([{ kind: "cancel", by }]);
  });

  it("[A-32] of two pauses one counts, until the run is resumed", async ({ host, newRun }) => {
    const run = await newRun();
    const pause = (by: string): Signal => ({ kind: "pause", by });
    expect(await host.inbox.post(run, pause("ada"))).toBeUndefined();
    expect(await host.inbox.post(run, pause("bo"))).toEqual({ choice: "pause", by: "ada", at: expect.any(Number) });
    expect(await host.inbox.post(run, { kind: "resume", by: "cy" })).toBeUndefined();
    expect(await host.inbox.post(run, pause("di"))).toBeUndefined();
    expect(await host.inbox.post(run, { kind: "cancel", by: "ed" })).toBeUndefined();
    expect(await host.inbox.post(run, pause("fi"))).toMatchObject({ by: "di" });
  });

  it("[A-32] of two stops of one agent one counts, and other agents can be stopped separately", async ({
    host,
    newRun,
  }) => {
    const run = await newRun();
    const stop = (effect: string, by: string): Signal => ({ kind: "stop", effect, by });
    expect(await host.inbox.post(run, stop("a@1", "ada"))).toBeUndefined();
    expect(await host.inbox.post(run, stop("a@1", "bo"))).toEqual({
      choice: "stop",
      by: "ada",
      at: expect.any(Number),
    });
    expect(await host.inbox.post(run, stop("b@1", "bo"))).toBeUndefined();
    expect(await unreadOf(host, run)).toEqual([stop("a@1", "ada"), stop("b@1", "bo")]);
    expect(await host.inbox.post(run, { kind: "cancel", by: "cy" })).toBeUndefined();
    expect(await host.inbox.post(run, stop("c@1", "di"))).toMatchObject({ choice: "cancel", by: "cy" });
  });

  it("[A-32] a finished run accepts no signal and returns what ended it", async ({ host, owned }) => {
    const lease = await owned();
    const end: RecordBody = { type: "run.finished", status: "canceled", exit: 1, reason: "canceled by ada", by: "ada" };
    await ask(host, lease, end);
    const told = { choice: "cancel", by: "ada", at: expect.any(Number) };
    const letters: Signal[] = [answer("bo"), { kind: "resume", by: "bo" }, { kind: "cancel", by: "bo" }];
    letters.push({ kind: "pause", by: "bo" }, { kind: "stop", effect: "a@1", by: "bo" });
    for (const signal of letters) expect(await host.inbox.post(lease.run, signal)).toEqual(told);
    expect(await unreadOf(host, lease.run)).toEqual([]);
  });

  it("[A-32] questions of other runs, and other questions of the same run, are answered separately", async ({
    host,
    newRun,
  }) => {
    const [mine, other] = [await newRun(), await newRun()];
    expect(await host.inbox.post(mine, answer("ada"))).toBeUndefined();
    expect(await host.inbox.post(other, answer("ada"))).toBeUndefined();
    expect(await host.inbox.post(mine, answer("ada", { approval: "a2" }))).toBeUndefined();
  });
}
