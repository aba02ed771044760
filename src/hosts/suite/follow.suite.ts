import { expect } from "vitest";
import { readJournalPages } from "../../core/journal/journal-pages.ts";
import type { JournalRecord } from "../../core/journal/record.ts";
import { createStep, createSteps, listNumbers, listSeqs, stampRecords } from "./facts.ts";
import type { HostCase } from "./scene.ts";

const never = new AbortController().signal;

export function followCases(it: HostCase): void {
  it("a follower gets the history and then new records, without gap or duplicate", async ({ host, owned }) => {
    const lease = await owned();
    await host.journal.append(lease, stampRecords(lease.run, 1, createSteps(10)));
    const whole = take(host.journal.follow(lease.run, 0, never), 60);
    const tail = take(host.journal.follow(lease.run, 5, never), 55);
    for (let seq = 11; seq <= 60; seq += 5) {
      await host.journal.append(lease, stampRecords(lease.run, seq, createSteps(5, seq)));
    }
    expect(listSeqs(await whole)).toEqual(listNumbers(60));
    expect(listSeqs(await tail)).toEqual(listNumbers(60, 6));
    expect(await whole).toEqual(await host.journal.load(lease.run));
  });

  it("a journal read in pages equals the journal", async ({ host, owned }) => {
    const lease = await owned();
    await host.journal.append(lease, stampRecords(lease.run, 1, createSteps(10)));
    const whole = await host.journal.load(lease.run);
    for (const most of [1, 3, 5, 10, 11]) {
      const pages: (readonly JournalRecord[])[] = [];
      for await (const page of readJournalPages(host.journal, lease.run, { most })) pages.push(page);
      expect(pages.flat()).toEqual(whole);
      expect(pages.every((page) => page.length <= most)).toBe(true);
    }
    expect(await host.journal.page(lease.run, { after: 8, most: 5 })).toEqual(whole.slice(8));
    expect(await host.journal.page(lease.run, { after: 10, most: 5 })).toEqual([]);
  });

  it("a follower on another handle sees records that are appended here", async ({ host, owned, another }) => {
    const other = await another();
    const lease = await owned();
    const followed = other.journal.follow(lease.run, 0, never)[Symbol.asyncIterator]();
    for (let seq = 1; seq <= 5; seq++) {
      const next = followed.next();
      await host.journal.append(lease, stampRecords(lease.run, seq, [createStep(seq)]));
      expect((await next).value).toMatchObject({ seq });
    }
    await followed.return?.();
  });

  it("a follower of one run sees nothing of another", async ({ host, owned }) => {
    const [mine, other] = [await owned(), await owned()];
    const followed = take(host.journal.follow(mine.run, 0, never), 2);
    await host.journal.append(other, stampRecords(other.run, 1, createSteps(3)));
    await host.journal.append(mine, stampRecords(mine.run, 1, createSteps(2)));
    expect((await followed).map((record) => record.run)).toEqual([mine.run, mine.run]);
  });

  it("following ends when its signal fires, also before it begins", async ({ host, owned }) => {
    const lease = await owned();
    await host.journal.append(lease, stampRecords(lease.run, 1, [createStep(1)]));
    const stop = new AbortController();
    const followed = host.journal.follow(lease.run, 0, stop.signal)[Symbol.asyncIterator]();
    expect((await followed.next()).value).toMatchObject({ seq: 1 });
    const waiting = followed.next();
    stop.abort();
    expect(await waiting).toMatchObject({ done: true });
    expect(await take(host.journal.follow(lease.run, 1, stop.signal), 1)).toEqual([]);
  });

  it("closing a host ends its followers and wakes inbox waiters", async ({ host, owned }) => {
    const lease = await owned();
    const followed = host.journal.follow(lease.run, 0, never)[Symbol.asyncIterator]().next();
    const changed = host.inbox.changed(lease.run, never);
    await host.close();
    expect(await followed).toMatchObject({ done: true });
    await changed;
  });
}

async function take(records: AsyncIterable<JournalRecord>, count: number): Promise<JournalRecord[]> {
  const taken: JournalRecord[] = [];
  for await (const record of records) {
    taken.push(record);
    if (taken.length === count) break;
  }
  return taken;
}
