import { describe, expect, test } from "vitest";
import { type Event, lastEvent, makeScene, type Scene } from "./scene.ts";

const scene = makeScene();

async function startSuspendedRun(at: Scene = scene): Promise<Event> {
  const ended = await at.signalbox("run", "small", "x", "--input", "finish=ask", "--agents", at.agents, "--json");
  expect(ended.exit).toBe(3);
  expect(lastEvent(ended)).toMatchObject({ type: "run.suspended", status: "waiting", exit: 3 });
  const asked = ended.events.find((event) => event.type === "approval.requested");
  expect(lastEvent(ended)["waiting"]).toEqual([asked?.["approval"]]);
  if (!asked) throw new Error("nothing was asked");
  return asked;
}

describe("questions", () => {
  test("[A-10] without a terminal the run suspends with 3, approve answers the question, resume finishes the run", async () => {
    const asked = await startSuspendedRun();
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

  test("[A-10] a suspended run prints the exact command that answers its question", async () => {
    const ended = await scene.signalbox("run", "small", "x", "--input", "finish=ask", "--agents", scene.agents);
    expect(ended.exit).toBe(3);
    expect(ended.out).toMatch(/signalbox approve a-[0-9a-f]{8} --choose keep/);
  });

  test("approve without a choice selects the first one, reject the one that stops", async () => {
    const first = await startSuspendedRun();
    const approved = await scene.signalbox("approve", String(first["approval"]), "--json");
    expect(JSON.parse(approved.out)).toMatchObject({ choice: "keep" });
    const second = await startSuspendedRun();
    const rejected = await scene.signalbox("reject", String(second["approval"]), "--json");
    expect(JSON.parse(rejected.out)).toMatchObject({ choice: "abort" });
    const resumed = await scene.signalbox("resume", String(second["run"]), "--json");
    expect(resumed.exit).toBe(1);
    expect(lastEvent(resumed)).toMatchObject({ status: "error", reason: "a person chose abort: " });
  });

  test("reject with a note requests changes if the question has a revise choice", async () => {
    const asked = await startSuspendedRun();
    expect(asked).toMatchObject({ revises: "revise", paths: ["a.txt"] });
    const rejected = await scene.signalbox("reject", String(asked["approval"]), "--note", "shorter", "--json");
    expect(JSON.parse(rejected.out)).toMatchObject({ choice: "revise" });
    const resumed = await scene.signalbox("resume", String(asked["run"]), "--json");
    expect(lastEvent(resumed)).toMatchObject({ reason: "a person chose revise: shorter" });
  });

  test("a question names the files it concerns, and `inbox <id>` lists all of them", async () => {
    const asked = await startSuspendedRun();
    const [approval, run] = [String(asked["approval"]), String(asked["run"])];
    for (const [command, id] of [["inbox"], ["why", run], ["status", run]] as const) {
      const { out } = await scene.signalbox(command, ...(id === undefined ? [] : [id]));
      expect(out).toContain(`about file a.txt`);
      expect(out).toContain(`show all: signalbox inbox ${approval}`);
    }
    const { out } = await scene.signalbox("inbox", approval.slice(0, 6));
    expect(out).toContain("summary: write a file\n\n── a.txt\nwritten\n");
    expect(out).toContain(`signalbox approve ${approval} --choose keep`);
    const document = JSON.parse((await scene.signalbox("inbox", approval, "--json")).out);
    expect(document).toMatchObject({ approval, revises: "revise", files: [{ path: "a.txt", text: "written\n" }] });
  });

  test("approve --resume continues the run at once; without it the output says that the run is suspended", async () => {
    const first = await startSuspendedRun();
    const ended = await scene.signalbox("approve", String(first["approval"]), "--resume", "--json");
    expect(lastEvent(ended)).toMatchObject({ type: "run.finished", status: "done" });
    const second = await startSuspendedRun();
    const run = String(second["run"]);
    const { out } = await scene.signalbox("approve", String(second["approval"]));
    expect(out).toContain(`${run} is suspended: your answer is stored`);
    expect(out).toContain(`next: signalbox resume ${run}\n        signalbox resume ${run} --detach\n`);
    const detached = await scene.signalbox("resume", run, "--detach", "--json");
    expect(JSON.parse(detached.out)).toMatchObject({ run, detached: true });
    const followed = await scene.signalbox("events", run, "--follow", "--json");
    expect(lastEvent(followed)).toMatchObject({ type: "run.finished", status: "done" });
  });

  test("why lists the answers that an autonomous run gave itself", async () => {
    const flags = ["--input", "finish=ask", "--approvals", "autonomous", "--agents", scene.agents, "--json"];
    const ended = await scene.signalbox("run", "small", "x", ...flags);
    expect(ended.exit).toBe(0);
    const { out } = await scene.signalbox("why", String(lastEvent(ended)["run"]));
    expect(out).toContain("answered automatically\n    Keep it? keep\n");
  });

  test("an unknown choice is refused with the list of valid choices", async () => {
    const asked = await startSuspendedRun();
    const ended = await scene.signalbox("approve", String(asked["approval"]), "--choose", "burn", "--json");
    expect(ended.exit).toBe(2);
    expect(lastEvent(ended)).toMatchObject({ type: "error", code: "CHOICE_UNKNOWN" });
    expect(lastEvent(ended)["hint"]).toContain("keep, revise, abort");
  });

  test("a choice that requires a note is refused without one, and the question stays open", async () => {
    const asked = await startSuspendedRun();
    const approval = String(asked["approval"]);
    expect((await scene.signalbox("inbox")).out).toContain(`approve ${approval} --choose revise --note "…"`);
    for (const note of [[], ["--note", "  "]]) {
      const empty = await scene.signalbox("approve", approval, "--choose", "revise", ...note, "--json");
      expect([empty.exit, lastEvent(empty)["code"]]).toEqual([2, "USAGE"]);
      expect(lastEvent(empty)["hint"]).toContain(`approve ${approval} --choose revise --note`);
    }
    expect((await scene.signalbox("status", String(asked["run"]))).out).toContain("Keep it?");
    const said = await scene.signalbox("approve", approval, "--choose", "revise", "--note", "shorter", "--json");
    expect(said.exit).toBe(0);
    const { out } = await scene.signalbox("status", String(asked["run"]), "--json");
    expect(JSON.parse(out)).toMatchObject({ because: expect.stringContaining("is answered") });
    const resumed = await scene.signalbox("resume", String(asked["run"]), "--json");
    expect(lastEvent(resumed)).toMatchObject({ reason: "a person chose revise: shorter" });
  });

  test("an answered question is reported as stale, and an unknown one as unknown", async () => {
    const asked = await startSuspendedRun();
    await scene.signalbox("approve", String(asked["approval"]));
    await scene.signalbox("resume", String(asked["run"]));
    const stale = await scene.signalbox("approve", String(asked["approval"]), "--json");
    expect(stale.exit).toBe(2);
    expect(lastEvent(stale)).toMatchObject({ code: "APPROVAL_STALE" });
    const unknown = await scene.signalbox("approve", "a-zzzz", "--json");
    expect(lastEvent(unknown)).toMatchObject({ code: "APPROVAL_UNKNOWN" });
  });

  test.each(["SIGNALBOX_COOKIE", "CLAUDECODE"])(
    "a process that %s marks as an agent's process cannot answer",
    async (mark) => {
      const asked = await startSuspendedRun();
      const inside = makeScene({ env: { [mark]: "1" } });
      const ended = await inside.signalbox("-C", scene.repo, "approve", String(asked["approval"]), "--json");
      expect(ended.exit).toBe(4);
      expect(lastEvent(ended)).toMatchObject({ code: "AGENT_IN_CHARGE" });
    },
  );

  test("a printed command pasted with its placeholder note is refused", async () => {
    const asked = await startSuspendedRun();
    const pasted = await scene.signalbox("approve", String(asked["approval"]), "--note", "…", "--json");
    expect(lastEvent(pasted)).toMatchObject({ type: "error", code: "USAGE" });
  });

  test("an agent process can neither resume a run with other checks nor grant trust through its environment", async () => {
    await startSuspendedRun();
    const inside = makeScene({ env: { CLAUDECODE: "1", SIGNALBOX_TRUST: "" } });
    const config = await inside.signalbox("-C", scene.repo, "resume", "--config", "--json");
    expect(lastEvent(config)).toMatchObject({ code: "AGENT_IN_CHARGE" });
    const trusting = makeScene({ env: { CLAUDECODE: "1", SIGNALBOX_TRUST: "1" } });
    const yes = await trusting.signalbox("-C", scene.repo, "resume", "--json");
    expect(lastEvent(yes)).toMatchObject({ code: "AGENT_IN_CHARGE" });
  });

  test("[A-09] autonomous mode takes the automatic choice and reports it", async () => {
    const flags = ["--input", "finish=ask", "--agents", scene.agents, "--approvals", "autonomous", "--json"];
    const ended = await scene.signalbox("run", "small", "x", ...flags);
    expect(ended.exit).toBe(0);
    expect(ended.events.find((event) => event.type === "approval.decided")).toMatchObject({
      choice: "keep",
      by: "automatic",
    });
  });

  test("the inbox shows open questions with their content, and none of a canceled run", async () => {
    const fresh = makeScene();
    expect(JSON.parse((await fresh.signalbox("inbox", "--json")).out)).toEqual({ v: 1, approvals: [] });
    const asked = await startSuspendedRun(fresh);
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
