import { describe, expect, test } from "vitest";
import { type Event, lastEvent, makeScene } from "./scene.ts";

const scene = makeScene();

async function parked(finish: "ask" | "pause"): Promise<{ readonly approval: string; readonly run: string }> {
  const flags = ["--input", `finish=${finish}`, "--agents", scene.agents, "--json"];
  const ended = await scene.signalbox("run", "small", "x", ...flags);
  expect(ended.exit).toBe(3);
  const asked = ended.events.find((event) => event.type === "approval.requested");
  return { approval: String(asked?.["approval"]), run: String(asked?.["run"]) };
}

const messageOf = (event: Event): string => String(event["message"]);

describe("[A-32] two answers to one question", { timeout: 120_000 }, () => {
  test.each([1, 2, 3])("from two processes at once: one counts, the other is told (pair %i)", async () => {
    const { approval, run } = await parked("ask");
    const both = await Promise.all([
      scene.signalbox("approve", approval, "--json"),
      scene.signalbox("reject", approval, "--json"),
    ]);
    expect(both.map(({ exit }) => exit).sort()).toEqual([0, 2]);
    const [won, lost] = both[0].exit === 0 ? both : [both[1], both[0]];
    const choice = String(JSON.parse(won.out).choice);
    expect(lastEvent(lost)).toMatchObject({ type: "error", code: "APPROVAL_STALE" });
    expect(messageOf(lastEvent(lost))).toMatch(new RegExp(`already answered: ${choice} by .+ at \\d\\d:\\d\\d`));
    const resumed = await scene.signalbox("resume", run, "--json");
    const decided = resumed.events.filter((event) => event.type === "approval.decided");
    expect(decided).toMatchObject([{ choice }]);
  });

  test("one after the other: the second is told, before and after an engine has read the first", async () => {
    const { approval, run } = await parked("ask");
    await scene.signalbox("approve", approval, "--choose", "revise");
    const before = await scene.signalbox("approve", approval);
    expect(before.exit).toBe(2);
    expect(before.err).toContain("already answered: revise by ");
    expect((await scene.signalbox("inbox")).out).toContain("already answered: revise by ");
    await scene.signalbox("resume", run);
    const after = await scene.signalbox("reject", approval.slice(0, 8));
    expect(after.exit).toBe(2);
    expect(after.err).toContain("already answered: revise by ");
  });

  test("a pause is let go on once: the second is told, and `resume` goes on all the same", async () => {
    const { approval, run } = await parked("pause");
    expect((await scene.signalbox("approve", approval, "--note", "first")).exit).toBe(0);
    const second = await scene.signalbox("approve", approval);
    expect(second.exit).toBe(2);
    expect(second.err).toContain("already answered: resume by ");
    const resumed = await scene.signalbox("resume", run, "--note", "second");
    expect(resumed.exit).toBe(0);
    expect(resumed.out).toContain("already answered: resume by ");
    const events = (await scene.signalbox("events", run, "--json")).events;
    expect(events.filter((event) => event.type === "run.resumed")).toMatchObject([{ note: "first" }]);
  });

  test("an answer and the run's end at once: the answer counts or is told who ended it, and the run has one end", async () => {
    const { approval, run } = await parked("ask");
    const [answered, canceled] = await Promise.all([
      scene.signalbox("approve", approval, "--json"),
      scene.signalbox("cancel", run, "--json"),
    ]);
    expect(canceled.exit).toBe(0);
    // Gone, or told who ended it; where the answer came first, it was taken and the end came after it.
    if (answered.exit !== 0) expect(messageOf(lastEvent(answered))).toMatch(/already answered: cancel by |No open/);
    const { events } = await scene.signalbox("events", run, "--json");
    expect(events.filter((event) => event.type === "run.finished")).toMatchObject([{ status: "canceled" }]);
    const late = await scene.signalbox("approve", approval);
    expect(late.exit).toBe(2);
  });

  test("a resume and the run's end at once: both say how it ended, and nothing is a bug", async () => {
    const { run } = await parked("pause");
    const [resumed, canceled] = await Promise.all([
      scene.signalbox("resume", run, "--json"),
      scene.signalbox("cancel", run, "--json"),
    ]);
    const { events } = await scene.signalbox("events", run, "--json");
    const [end, ...more] = events.filter((event) => event.type === "run.finished");
    expect(more).toEqual([]);
    // The end came first and the run was not let go on, or it went on to its own end before the word was read.
    expect(canceled.exit).toBe(end?.["status"] === "canceled" ? 0 : 2);
    expect([0, 1, 2, 6]).toContain(resumed.exit);
  });

  test("two who end a run at once are both told that it is canceled, and by whom", async () => {
    const { run } = await parked("ask");
    const both = await Promise.all([scene.signalbox("cancel", run), scene.signalbox("cancel", run)]);
    for (const { exit, out, err } of both) {
      expect([0, 2]).toContain(exit);
      expect(`${out}${err}`).toContain("cancel");
    }
    const { events } = await scene.signalbox("events", run, "--json");
    expect(events.filter((event) => event.type === "run.finished")).toHaveLength(1);
  });
});
