import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { expect, test } from "vitest";
import { writeContract } from "../../src/core/contract/write.ts";
import type { PostedDispatch } from "../../src/core/ports/mailbox.ts";
import { createFolderMailbox } from "../../src/drivers/mailbox/folder-mailbox.ts";
import { leftBehind } from "./cut-off.ts";
import { type Event, lastEvent, makeScene, type Scene } from "./scene.ts";

const WORKER = "an editor";
const AGENT = ["--agent", "*=mailbox", "--json"] as const;

const getMailboxFolder = ({ repo }: Scene): string => join(repo, ".signalbox/mailbox");
const openSceneMailbox = (scene: Scene) => createFolderMailbox({ dir: getMailboxFolder(scene), now: Date.now });

/** Takes the run's dispatch as an external agent and does half of the work. */
async function takeDispatch(scene: Scene): Promise<PostedDispatch> {
  for (;;) {
    const [row] = await openSceneMailbox(scene).list();
    const dispatch = row && (await openSceneMailbox(scene).take(row.id, WORKER));
    if (dispatch) {
      writeFileSync(join(dispatch.cwd, "half.txt"), "half\n");
      return dispatch;
    }
    await wait(20);
  }
}

/** Does the rest of the work and answers the dispatch as it was taken. */
async function finishDispatch(scene: Scene, { id, cwd, prompt }: PostedDispatch): Promise<boolean> {
  writeFileSync(join(cwd, "rest.txt"), "rest\n");
  const nonce = /"nonce": "([^"]+)"/.exec(prompt)?.[1] ?? "";
  const message = writeContract({ dialect: "json", value: { summary: "write two files" }, nonce });
  return openSceneMailbox(scene).answer(id, { by: WORKER, message });
}

async function interruptRun(scene: Scene, signal: NodeJS.Signals): Promise<{ run: string; dispatch: PostedDispatch }> {
  const talk = scene.start("run", "small", "x", ...AGENT);
  const { run } = await talk.heard("agent.started");
  const dispatch = await takeDispatch(scene);
  talk.kill(signal);
  await talk.ended;
  return { run: String(run), dispatch };
}

async function listEvents(scene: Scene): Promise<readonly Event[]> {
  return (await scene.signalbox("events", "--json")).events;
}

test.each(["SIGKILL", "SIGINT"] as const)(
  "[A-17] a dispatch that an external agent holds when %s stops the engine is awaited by the next engine and counted once",
  async (signal) => {
    const scene = makeScene();
    const { run, dispatch } = await interruptRun(scene, signal);
    const next = scene.start("resume", ...AGENT);
    await next.heard("engine.started");
    expect(await openSceneMailbox(scene).take(dispatch.id, WORKER)).toEqual(dispatch);
    expect(await finishDispatch(scene, dispatch)).toBe(true);
    const ended = await next.ended;
    expect(ended.exit, ended.out + ended.err).toBe(0);
    const events = await listEvents(scene);
    expect(events.filter(({ type }) => type === "agent.started")).toHaveLength(1);
    expect(events.filter(({ type }) => type === "agent.finished")).toMatchObject([{ outcome: "done", attempt: 1 }]);
    expect(scene.git("show", `signalbox/${run}:half.txt`, `signalbox/${run}:rest.txt`)).toBe("half\nrest\n");
    expect([leftBehind(scene), readdirSync(getMailboxFolder(scene))]).toEqual([[], []]);
  },
);

test("an answer given while no engine runs is read by the next engine", async () => {
  const scene = makeScene();
  const { run, dispatch } = await interruptRun(scene, "SIGINT");
  expect(await finishDispatch(scene, dispatch)).toBe(true);
  expect((await scene.signalbox("resume", ...AGENT)).exit).toBe(0);
  expect(scene.git("show", `signalbox/${run}:half.txt`, `signalbox/${run}:rest.txt`)).toBe("half\nrest\n");
  expect((await listEvents(scene)).filter(({ type }) => type === "agent.started")).toHaveLength(1);
});

test("a dispatch that no agent has taken from the mailbox is shown as waiting, not as running", async () => {
  const scene = makeScene();
  const talk = scene.start("run", "small", "x", ...AGENT);
  await talk.heard("agent.started");
  while ((await openSceneMailbox(scene).list()).length === 0) await wait(20);
  expect((await scene.signalbox("status")).out).toContain("1 dispatch waits in the mailbox");
  await takeDispatch(scene);
  expect((await scene.signalbox("status")).out).toContain("1 agent is running");
  talk.kill("SIGINT");
  await talk.ended;
});

test("a time limit keeps the dispatch, its folder and its assignee", async () => {
  const scene = makeScene();
  const talk = scene.start("run", "small", "x", "--max-time", "3s", ...AGENT);
  const dispatch = await takeDispatch(scene);
  expect((await talk.ended).events.at(-1)).toMatchObject({ type: "run.suspended", status: "time" });
  expect((await scene.signalbox("status")).out).toContain("--max-time 1m");
  expect(existsSync(join(dispatch.cwd, "half.txt"))).toBe(true);
  const next = scene.start("resume", "--max-time", "10m", ...AGENT);
  await next.heard("engine.started");
  expect(await finishDispatch(scene, dispatch)).toBe(true);
  expect((await next.ended).exit).toBe(0);
});

test("gc names and removes mailbox entries that a killed engine left for a finished run", async () => {
  const scene = makeScene();
  const { dispatch } = await interruptRun(scene, "SIGINT");
  await scene.signalbox("cancel");
  await openSceneMailbox(scene).post(dispatch);
  await openSceneMailbox(scene).post({ ...dispatch, id: "other", run: "r-unknown" });
  const left = join(getMailboxFolder(scene), dispatch.id);
  expect(JSON.parse((await scene.signalbox("gc", "--dry-run", "--json")).out).removed).toContain(left);
  expect((await scene.signalbox("gc", "--yes")).exit).toBe(0);
  expect(readdirSync(getMailboxFolder(scene))).toEqual(["other"]);
});

test("canceling a run whose engine is dead removes its dispatches, so they can no longer be answered", async () => {
  const scene = makeScene();
  const { dispatch } = await interruptRun(scene, "SIGKILL");
  expect((await scene.signalbox("cancel")).exit).toBe(0);
  expect(await openSceneMailbox(scene).list()).toEqual([]);
  expect(existsSync(dispatch.cwd)).toBe(false);
  expect(await openSceneMailbox(scene).answer(dispatch.id, { by: WORKER, message: "late" })).toBe(false);
  expect(readdirSync(getMailboxFolder(scene))).toEqual([]);
});

test("an agent that holds a dispatch cannot make decisions, neither from its folder nor with its environment", async () => {
  const scene = makeScene();
  const { run, dispatch } = await interruptRun(scene, "SIGINT");
  const below = join(dispatch.cwd, "src");
  mkdirSync(below);
  const { SIGNALBOX_RUN = "", SIGNALBOX_ROLE = "" } = dispatch.environment ?? {};
  const wheres = [
    { cwd: dispatch.cwd },
    { cwd: below },
    // If the engine's cache is unknown, the mailbox says which folders are attempts.
    { cwd: below, env: { XDG_CACHE_HOME: "/nowhere" } },
    { env: { SIGNALBOX_RUN } },
    { env: { SIGNALBOX_ROLE } },
  ];
  for (const where of wheres) {
    for (const call of [
      ["revert", run],
      ["cancel", run],
      ["approve", "a-1"],
    ]) {
      const ended = await scene.from(where, ...call, "--json");
      expect([where, call, lastEvent(ended)["code"]]).toEqual([where, call, "AGENT_IN_CHARGE"]);
    }
    expect((await scene.from(where, "status", "--json")).exit).toBe(0);
  }
  expect(dispatch.environment).toMatchObject({
    SIGNALBOX_RUN: run,
    SIGNALBOX_PORT_BASE: expect.stringMatching(/^\d+$/),
  });
  expect((await scene.from({ cwd: scene.repo }, "cancel", run)).exit).toBe(0);
});
