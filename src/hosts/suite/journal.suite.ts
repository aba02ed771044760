import { expect } from "vitest";
import type { RecordBody } from "../../core/journal/record.ts";
import { createCheckRow, createStep, createSteps, listNumbers, listSeqs, stampRecords } from "./facts.ts";
import type { HostCase } from "./scene.ts";

const COUNT_ROWS = "SELECT CAST(COUNT(*) AS INTEGER) AS actual FROM anvil_checks WHERE run_id = :run";

export function journalCases(it: HostCase): void {
  it("records are read back as they were appended", async ({ host, owned }) => {
    const lease = await owned();
    const hostile: RecordBody = {
      type: "step.finished",
      key: "a'b\"c;--",
      value: { text: "\u0000 \ud83d\ude80 \u2028 '; DROP" },
    };
    // The fact's own `hash` field must not be confused with the hash of its position.
    const started: RecordBody = { type: "engine.started", owner: "engine-a", fence: 1, hash: "of the pipeline" };
    const records = stampRecords(lease.run, 1, [hostile, createStep(2, [createCheckRow()]), started]);
    await host.journal.append(lease, records);
    expect(await host.journal.load(lease.run)).toEqual(records);
    expect(await host.journal.load(lease.run, 2)).toEqual(records.slice(2));
  });

  it("appended records are visible to the next handle", async ({ host, owned, another }) => {
    const next = await another();
    const lease = await owned();
    const records = stampRecords(lease.run, 1, createSteps(3));
    await host.journal.append(lease, records);
    await host.close();
    expect(await next.journal.load(lease.run)).toEqual(records);
    expect(await next.runs.get(lease.run)).toMatchObject({ id: lease.run, pipeline: "ledger" });
  });

  for (const [what, seq] of [
    ["leaves a gap", 3],
    ["repeats a number", 1],
    ["goes back", 0],
  ] as const) {
    it(`an append that ${what} is refused and stores nothing`, async ({ host, owned }) => {
      const lease = await owned();
      await host.journal.append(lease, stampRecords(lease.run, 1, [createStep(1)]));
      await expect(host.journal.append(lease, stampRecords(lease.run, seq, [createStep(9)]))).rejects.toThrow();
      expect(await host.journal.load(lease.run)).toMatchObject([{ seq: 1, value: { n: 1 } }]);
    });
  }

  it("a gap inside one append is refused, and none of it is stored", async ({ host, owned }) => {
    const lease = await owned();
    const records = [...stampRecords(lease.run, 1, createSteps(2)), ...stampRecords(lease.run, 4, [createStep(4)])];
    await expect(host.journal.append(lease, records)).rejects.toThrow();
    expect(await host.journal.load(lease.run)).toEqual([]);
  });

  it("a record of another run is refused", async ({ host, owned, newRun }) => {
    const lease = await owned();
    const foreign = await newRun();
    await expect(host.journal.append(lease, stampRecords(foreign, 1, [createStep(1)]))).rejects.toThrow();
    expect(await host.journal.load(foreign)).toEqual([]);
  });

  it("an append is stored completely or not at all, evidence included", async ({ host, owned }) => {
    const lease = await owned();
    const bad = createCheckRow({ phase: "whenever" });
    const records = stampRecords(lease.run, 1, [
      createStep(1, [createCheckRow()]),
      createStep(2, [bad]),
      createStep(3),
    ]);
    await expect(host.journal.append(lease, records)).rejects.toThrow();
    expect(await host.journal.load(lease.run)).toEqual([]);
    expect(await host.ledger.ask(COUNT_ROWS, { run: lease.run })).toEqual({ actual: 0 });
  });

  it("a refused append does not affect concurrent ones", async ({ host, owned }) => {
    const claims = await Promise.all(Array.from({ length: 10 }, () => owned()));
    const results = await Promise.allSettled(
      claims.map((lease, index) => {
        const stale = index % 3 === 0 ? { ...lease, fence: lease.fence - 1 } : lease;
        return host.journal.append(stale, stampRecords(lease.run, 1, [createStep(index, [createCheckRow()])]));
      }),
    );
    for (const [index, lease] of claims.entries()) {
      const kept = index % 3 === 0 ? 0 : 1;
      expect(results[index]).toMatchObject(kept ? { status: "fulfilled" } : { reason: { code: "FENCED" } });
      expect(await host.journal.load(lease.run)).toHaveLength(kept);
      expect(await host.ledger.ask(COUNT_ROWS, { run: lease.run })).toEqual({ actual: kept });
    }
  });

  it("unawaited appends of one run keep their order", async ({ host, owned }) => {
    const lease = await owned();
    await Promise.all(
      listNumbers(50).map((seq) => host.journal.append(lease, stampRecords(lease.run, seq, [createStep(seq)]))),
    );
    expect(listSeqs(await host.journal.load(lease.run))).toEqual(listNumbers(50));
  });

  it("a run's row reflects its newest status record", async ({ host, owned }) => {
    const lease = await owned();
    const tellings: readonly [RecordBody, object][] = [
      [createStep(1), { status: "running", exit: null, reason: null }],
      [
        { type: "run.suspended", status: "waiting", exit: 3, reason: "approval of the plan", waiting: ["a1"] },
        { status: "waiting", exit: 3, reason: "approval of the plan" },
      ],
      [createStep(3), { status: "waiting", exit: 3 }],
      [
        { type: "run.resumed", by: "ada" },
        { status: "running", exit: null, reason: null },
      ],
      [
        { type: "run.finished", status: "done", exit: 7, confidence: "low" },
        { status: "done", exit: 7, reason: null },
      ],
    ];
    for (const [index, [fact, row]] of tellings.entries()) {
      await host.journal.append(lease, stampRecords(lease.run, index + 1, [fact]));
      expect(await host.runs.get(lease.run)).toMatchObject(row);
    }
  });

  it("runs are listed by repository, newest first", async ({ host, newRun }) => {
    const repo = `/repo/${await newRun()}`;
    const first = await newRun(repo);
    await newRun("/elsewhere");
    const second = await newRun(repo);
    const third = await newRun(repo);
    const ids = (await host.runs.list({ repo })).map((row) => row.id);
    expect(ids).toEqual([third, second, first]);
    const all = (await host.runs.list()).map((row) => row.id);
    expect(all.filter((id) => ids.includes(id))).toEqual(ids);
    expect(all.length).toBeGreaterThan(ids.length);
  });

  it("a new run is running and has no owner", async ({ host, newRun }) => {
    const id = await newRun("/repo/x");
    // A team's store also returns the submitter.
    const { submitter: _, ...row } = (await host.runs.get(id)) ?? {};
    expect(row).toEqual({
      id,
      pipeline: "ledger",
      repo: "/repo/x",
      createdAt: expect.any(Number),
      status: "running",
      exit: null,
      reason: null,
      owner: null,
      leaseUntil: null,
      fence: 0,
    });
    expect(await host.runs.get("run-nowhere")).toBeUndefined();
    await expect(host.runs.create({ id, pipeline: "other", repo: "/other" })).rejects.toThrow();
  });
}
