import { describe, expect, test } from "vitest";
import { type Event, lastEvent, makeScene, type Scene } from "./scene.ts";

const scene = makeScene();

async function parked(at: Scene = scene): Promise<Event> {
  const ended = await at.signalbox("run", "small", "x", "--input", "finish=ask", "--agents", at.agents, "--json");
  expect(ended.exit).toBe(3);
  expect(lastEvent(ended)).toMatchObject({ type: "run.suspended", status: "waiting", exit: 3 });
  const asked = ended.events.find((event) => event.type === "approval.requested");
  expect(lastEvent(ended)["waiting"]).toEqual([asked?.["approval"]]);
  if (!asked) throw new Error("nothing was asked");
  return asked;
}

describe("questions", () => {
  test("[A-10] without a terminal the run parks with 3, approve answers it, resume finishes it", async () => {
    const asked = await parked();
    const [approval, run] = [String(asked["approval"]), String(asked["run"])];
    const approved = await scene.signalbox(
      "approve",
      approval.slice(0, 6),
      "--choose",
      "keep",
      "--note",
      "nice",
      "--json",
    );
    expect(approved.exit).toBe(0);
    expect(JSON.parse(approved.out)).toMatchObject({
      v: 1,
      approval,
      run,
      choice: "keep",
      next: `signalbox resume ${run}`,
    });
    const resumed = await scene.signalbox("resume", run, "--json");
    expect(resumed.exit).toBe(0);
    expect(resumed.events.find((event) => event.type === "approval.decided")).toMatchObject({
      choice: "keep",
      note: "nice",
    });
    expect(resumed.events.some((event) => event.type === "agent.started")).toBe(false);
    expect(lastEvent(resumed)).toMatchObject({ type: "run.finished", status: "done" });
  });

  test("[A-10] a parked run prints the very line that answers it", async () => {
    const ended = await scene.signalbox("run", "small", "x", "--input", "finish=ask", "--agents", scene.agents);
    expect(ended.exit).toBe(3);
    expect(ended.out).toMatch(/signalbox approve a-[0-9a-f]{8} --choose keep/);
  });

  test("approve without a choice takes the first one, reject the one that stops", async () => {
    const first = await parked();
    const approved = await scene.signalbox("approve", String(first["approval"]), "--json");
    expect(JSON.parse(approved.out)).toMatchObject({ choice: "keep" });
    const second = await parked();
    const rejected = await scene.signalbox("reject", String(second["approval"]), "--note", "not now", "--json");
    expect(JSON.parse(rejected.out)).toMatchObject({ choice: "abort" });
    const resumed = await scene.signalbox("resume", String(second["run"]), "--json");
    expect(resumed.exit).toBe(1);
    expect(lastEvent(resumed)).toMatchObject({ status: "error", reason: "a person chose abort: not now" });
  });

  test("a choice that the question does not have is refused with the ones it has", async () => {
    const asked = await parked();
    const ended = await scene.signalbox("approve", String(asked["approval"]), "--choose", "burn", "--json");
    expect(ended.exit).toBe(2);
    expect(lastEvent(ended)).toMatchObject({ type: "error", code: "CHOICE_UNKNOWN" });
    expect(lastEvent(ended)["hint"]).toContain("keep, revise, abort");
  });

  test("a question that was answered and read is stale, and an unknown one unknown", async () => {
    const asked = await parked();
    await scene.signalbox("approve", String(asked["approval"]));
    await scene.signalbox("resume", String(asked["run"]));
    const stale = await scene.signalbox("approve", String(asked["approval"]), "--json");
    expect(stale.exit).toBe(2);
    expect(lastEvent(stale)).toMatchObject({ code: "APPROVAL_STALE" });
    const unknown = await scene.signalbox("approve", "a-zzzz", "--json");
    expect(lastEvent(unknown)).toMatchObject({ code: "APPROVAL_UNKNOWN" });
  });

  test.each(["SIGNALBOX_COOKIE", "CLAUDECODE"])("a process that %s marks as an agent's cannot answer", async (mark) => {
    const asked = await parked();
    const inside = makeScene({ env: { [mark]: "1" } });
    const ended = await inside.signalbox("-C", scene.repo, "approve", String(asked["approval"]), "--json");
    expect(ended.exit).toBe(4);
    expect(lastEvent(ended)).toMatchObject({ code: "AGENT_IN_CHARGE" });
  });

  test("[A-09] autonomous takes the automatic choice and says so", async () => {
    const flags = ["--input", "finish=ask", "--agents", scene.agents, "--approvals", "autonomous", "--json"];
    const ended = await scene.signalbox("run", "small", "x", ...flags);
    expect(ended.exit).toBe(0);
    expect(ended.events.find((event) => event.type === "approval.decided")).toMatchObject({
      choice: "keep",
      by: "automatic",
    });
  });

  test("the inbox shows open questions with what they show, and none of a canceled run", async () => {
    const fresh = makeScene();
    expect(JSON.parse((await fresh.signalbox("inbox", "--json")).out)).toEqual({ v: 1, approvals: [] });
    const asked = await parked(fresh);
    const { approvals } = JSON.parse((await fresh.signalbox("inbox", "--json")).out);
    expect(approvals).toMatchObject([
      {
        approval: asked["approval"],
        run: asked["run"],
        title: "Keep it?",
        show: { summary: "write a file" },
        answered: false,
      },
    ]);
    const canceled = await fresh.signalbox("cancel", "--json");
    expect(JSON.parse(canceled.out)).toMatchObject({ run: asked["run"], status: "canceled" });
    expect(JSON.parse((await fresh.signalbox("inbox", "--json")).out)).toEqual({ v: 1, approvals: [] });
    expect((await fresh.signalbox("resume", "--json")).exit).toBe(2);
  });
});
