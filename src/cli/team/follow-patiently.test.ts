import { expect, test } from "vitest";
import { SignalboxError } from "../../core/failure/errors.ts";
import type { JournalRecord } from "../../core/journal/record.ts";
import { followPatiently } from "./follow-patiently.ts";

/** A journal of three records whose server goes away as often as is said, each time after one of them. */
function shaky(outages: number) {
  let [clock, left, told] = [0, outages, 0];
  // All that following looks at.
  const records = [1, 2, 3].map((seq) => ({ seq }) as JournalRecord);
  async function* follow(_run: string, after: number): AsyncGenerator<JournalRecord> {
    for (const record of records.filter(({ seq }) => seq > after)) {
      if (record.seq > 1 && left-- > 0) throw new SignalboxError("DATABASE_UNREACHABLE", "It is away.", "Wait.");
      yield record;
    }
  }
  const sleep = async (ms: number): Promise<void> => {
    clock += ms;
  };
  const asked = {
    journal: { follow },
    world: { now: () => clock, sleep },
    run: "r",
    after: 0,
    signal: new AbortController().signal,
    away: () => void told++,
  };
  return { asked, told: () => told, clock: () => clock };
}

async function numbersOf(records: AsyncIterable<JournalRecord>): Promise<readonly number[]> {
  const numbers: number[] = [];
  for await (const { seq } of records) numbers.push(seq);
  return numbers;
}

test("every record comes once over a server that goes and comes back, and that is said once", async () => {
  const { asked, told } = shaky(5);
  expect(await numbersOf(followPatiently(asked))).toEqual([1, 2, 3]);
  expect(told()).toBe(1);
});

test("a server that stays away is waited for a minute; then it is said since when, and how to look and resume", async () => {
  const { asked, told, clock } = shaky(Number.POSITIVE_INFINITY);
  await expect(numbersOf(followPatiently(asked))).rejects.toMatchObject({
    code: "DATABASE_UNREACHABLE",
    message: expect.stringMatching(
      /^Postgres is away since .*\d\d:\d\d:\d\d, .* the run r .* or it rests as interrupted\.$/,
    ),
    hint: expect.stringMatching(/`signalbox why r`.*`signalbox resume r`/),
  });
  expect([told(), clock()]).toEqual([1, 60_000]);
});
