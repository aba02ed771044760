import { expect, test } from "vitest";
import { SignalboxError } from "../../core/failure/errors.ts";
import type { JournalRecord } from "../../core/journal/record.ts";
import { followWithRetry } from "./follow-with-retry.ts";

/** Creates a journal of three records whose server fails the given number of times, each time after a record. */
function shaky(outages: number) {
  let [clock, left, told] = [0, outages, 0];
  // Only this member is used.
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

test("every record is delivered once across outages, and the outage is reported once", async () => {
  const { asked, told } = shaky(5);
  expect(await numbersOf(followWithRetry(asked))).toEqual([1, 2, 3]);
  expect(told()).toBe(1);
});

test("an outage of more than a minute ends with its start time and how to check and resume the run", async () => {
  const { asked, told, clock } = shaky(Number.POSITIVE_INFINITY);
  await expect(numbersOf(followWithRetry(asked))).rejects.toMatchObject({
    code: "DATABASE_UNREACHABLE",
    message: expect.stringMatching(
      /^Lost connection to Postgres at .*\d\d:\d\d:\d\d\. .* run r .* or it is suspended as interrupted\.$/,
    ),
    hint: expect.stringMatching(/`signalbox why r`.*`signalbox resume r`/),
  });
  expect([told(), clock()]).toEqual([1, 60_000]);
});
