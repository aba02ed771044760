import { expect } from "vitest";
import type { Claim, Host, Letter } from "../../core/ports/host.ts";
import type { Fact } from "../../core/record.ts";
import { stamped } from "./facts.ts";
import type { Case } from "./scene.ts";

const QUESTION = { key: "1/ask", approval: "a1", hash: "h" } as const;
const ASKED: Fact = {
  type: "approval.requested",
  ...QUESTION,
  title: 'Keep it? "type":"approval.decided"',
  show: null,
  choices: ["keep", "abort"],
  auto: "keep",
};
const answer = (by: string, more: Partial<Extract<Letter, { kind: "answer" }>> = {}): Letter => {
  return { kind: "answer", approval: "a1", choice: "keep", hash: "h", by, ...more };
};

async function ask(host: Host, claim: Claim, ...more: readonly Fact[]): Promise<void> {
  await host.journal.append(claim, stamped(claim.run, 1, [ASKED, ...more]));
}

const unreadOf = async (host: Host, run: string) => (await host.inbox.unread(run)).map(({ letter }) => letter);

export function answerCases(it: Case): void {
  it("[A-32] a second answer is not stored, and given back who answered, what and when", async ({ host, owned }) => {
    const claim = await owned();
    await ask(host, claim);
    expect(await host.inbox.post(claim.run, answer("ada"))).toBeUndefined();
    const earlier = await host.inbox.post(claim.run, answer("bo", { choice: "abort" }));
    expect(earlier).toEqual({ choice: "keep", by: "ada", at: expect.any(Number) });
    expect(earlier?.at).toBeGreaterThan(0);
    expect(await unreadOf(host, claim.run)).toEqual([answer("ada")]);
  });

  it("[A-32] an answer to a run that is told to end is not stored, and given back who ended it", async ({
    host,
    owned,
  }) => {
    const claim = await owned();
    await ask(host, claim);
    expect(await host.inbox.post(claim.run, { kind: "cancel", by: "ada" })).toBeUndefined();
    const told = { choice: "cancel", by: "ada", at: expect.any(Number) };
    expect(await host.inbox.post(claim.run, answer("bo"))).toEqual(told);
    expect(await host.inbox.post(claim.run, { kind: "resume", by: "bo", approval: "a1" })).toEqual(told);
    expect(await unreadOf(host, claim.run)).toEqual([{ kind: "cancel", by: "ada" }]);
  });

  it("[A-32] of twenty answers at once from two handles exactly one is taken", async ({ host, owned, another }) => {
    const other = await another();
    const claim = await owned();
    await ask(host, claim);
    const posts = Array.from({ length: 20 }, (_, n) =>
      (n % 2 === 0 ? host : other).inbox.post(claim.run, answer(`person-${n}`)),
    );
    const told = await Promise.all(posts);
    const winner = told.indexOf(undefined);
    expect(told.filter((each) => each === undefined)).toHaveLength(1);
    expect(new Set(told.flatMap((each) => each?.by ?? []))).toEqual(new Set([`person-${winner}`]));
    expect(await unreadOf(host, claim.run)).toEqual([answer(`person-${winner}`)]);
  });

  it("[A-32] of twenty answers at once through one handle exactly one is taken", async ({ host, newRun }) => {
    const run = await newRun();
    const posts = Array.from({ length: 20 }, (_, n) => host.inbox.post(run, answer(`person-${n}`)));
    expect((await Promise.all(posts)).filter((each) => each === undefined)).toHaveLength(1);
    expect(await unreadOf(host, run)).toHaveLength(1);
  });

  it("[A-32] an answer that was decided stays the one that counts after it was read", async ({ host, owned }) => {
    const claim = await owned();
    await host.inbox.post(claim.run, answer("ada"));
    await ask(host, claim, { type: "approval.decided", ...QUESTION, choice: "keep", by: "ada" });
    const [posted] = await host.inbox.unread(claim.run);
    await host.inbox.read(claim, [posted?.id ?? -1]);
    expect(await host.inbox.post(claim.run, answer("bo"))).toMatchObject({ choice: "keep", by: "ada" });
  });

  it("[A-32] a decision that came without a letter counts too", async ({ host, owned }) => {
    const claim = await owned();
    await ask(host, claim, { type: "approval.decided", ...QUESTION, choice: "abort", by: "automatic" });
    expect(await host.inbox.post(claim.run, answer("ada"))).toMatchObject({ choice: "abort", by: "automatic" });
  });

  it("[A-32] an answer to other content, or with no choice of the question, keeps nobody from answering", async ({
    host,
    owned,
  }) => {
    const claim = await owned();
    await ask(host, claim);
    await host.inbox.post(claim.run, answer("ada", { hash: "of what was shown before" }));
    await host.inbox.post(claim.run, answer("bo", { choice: "burn" }));
    expect(await host.inbox.post(claim.run, answer("cy"))).toBeUndefined();
    const late = await host.inbox.post(claim.run, answer("di", { hash: "of what was shown before" }));
    expect(late).toMatchObject({ by: "cy" });
  });

  it("[A-32] an answer that was read and not taken leaves the question open", async ({ host, owned }) => {
    const claim = await owned();
    await host.inbox.post(claim.run, answer("ada"));
    const [posted] = await host.inbox.unread(claim.run);
    await host.inbox.read(claim, [posted?.id ?? -1]);
    expect(await host.inbox.post(claim.run, answer("bo"))).toBeUndefined();
  });

  it("[A-32] of two words that let a pause go on one counts, and other letters are never refused", async ({
    host,
    owned,
  }) => {
    const claim = await owned();
    await ask(host, claim);
    const resume = (by: string): Letter => ({ kind: "resume", approval: "a1", by });
    expect(await host.inbox.post(claim.run, resume("ada"))).toBeUndefined();
    expect(await host.inbox.post(claim.run, resume("bo"))).toMatchObject({ choice: "resume", by: "ada" });
    expect(await host.inbox.post(claim.run, { kind: "resume", by: "cy", limits: { usd: 2 } })).toBeUndefined();
    for (const by of ["di", "ed"]) expect(await host.inbox.post(claim.run, { kind: "cancel", by })).toBeUndefined();
  });

  it("[A-32] questions of other runs, and others of the same run, are answered for themselves", async ({
    host,
    newRun,
  }) => {
    const [mine, other] = [await newRun(), await newRun()];
    expect(await host.inbox.post(mine, answer("ada"))).toBeUndefined();
    expect(await host.inbox.post(other, answer("ada"))).toBeUndefined();
    expect(await host.inbox.post(mine, answer("ada", { approval: "a2" }))).toBeUndefined();
  });
}
