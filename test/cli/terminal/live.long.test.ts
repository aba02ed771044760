import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeScene } from "../scene.ts";
import { hasPty, openSession, type Session, type Size } from "./session.ts";

const LIMIT = { timeout: 40_000 };
const RULE = /^─{20,}$/;
const ESC = "\u001b";

/** Creates one agent that prints, and works until it is released. */
function makeStage(printed = "reading a.txt") {
  // Its agent looks for a file outside its folder.
  const made = makeScene({ env: { SIGNALBOX_SANDBOX: "off" } });
  // A person's terminal, also if the tests run in CI.
  const { CI: _ci, ...env } = made.env;
  const scene = { ...made, env };
  const go = join(scene.repo, "../go");
  const waits = `until [ -f ${go} ]; do sleep 0.1; done`;
  const agents = scene.put(
    "../waiting.yaml",
    JSON.stringify({
      agents: [
        {
          role: "writer",
          do: [{ run: `true # ${printed}` }, { run: waits }, { write: { path: "a.txt", content: "written\n" } }],
          output: { summary: "write a file" },
        },
      ],
    }),
  );
  const open = (size: Size, ...args: readonly string[]): Session =>
    openSession({ args: ["-C", scene.repo, ...args], cwd: scene.repo, env: scene.env, ...size });
  return {
    ...scene,
    letGo: () => writeFileSync(go, ""),
    open,
    run: (size: Size, ...args: readonly string[]): Session =>
      open(size, "run", "small", "Write it", "--agents", agents, ...args),
    /** Returns the lines that a terminal of this size shows for the finished run. */
    told: async (size: Size): Promise<string[]> => {
      const session = open(size, "events", "--plain");
      expect(await session.exited).toBe(0);
      return session.lines();
    },
  };
}

const isRestored = (bytes: string): boolean => bytes.lastIndexOf(`${ESC}[?25h`) > bytes.lastIndexOf(`${ESC}[?25l`);

test.skipIf(!hasPty).each([60, 80, 100, 140])(
  "on %i columns the live view is drawn at the bottom, and only the log lines remain at the end",
  LIMIT,
  async (cols) => {
    const stage = makeStage();
    const size = { cols, rows: 30 };
    const session = stage.run(size);
    await session.sees(/waiting for 1 agent/);
    await session.sees(/● writer .*\d+s/);
    const during = await session.lines();
    expect(during.filter((line) => RULE.test(line))).toEqual(["─".repeat(cols - 1)]);
    expect(during.at(-1)).toMatch(/^enter details .*ctrl-c stops$/);
    stage.letGo();
    expect(await session.exited).toBe(0);
    const lines = await session.lines();
    const told = await stage.told(size);
    expect(lines.slice(-told.length)).toEqual(told);
    expect(lines.filter((line) => RULE.test(line))).toEqual([]);
    expect(isRestored(session.bytes())).toBe(true);
  },
);

test.skipIf(!hasPty)("repeated resizing of the window keeps every line and leaves no artifacts", LIMIT, async () => {
  const stage = makeStage();
  const session = stage.run({ cols: 140, rows: 30 });
  await session.sees(/waiting for 1 agent since/);
  for (const cols of [60, 100, 50, 140, 80]) {
    await session.resize({ cols, rows: 30 });
    await session.sees(new RegExp(`^─{${cols - 1}}$`));
    await session.sees(/ctrl-c stops$/);
    const rules = (await session.lines()).filter((line) => RULE.test(line));
    expect(rules).toEqual(["─".repeat(cols - 1)]);
  }
  await session.resize({ cols: 140, rows: 12 });
  stage.letGo();
  expect(await session.exited).toBe(0);
  const lines = await session.lines();
  const told = await stage.told({ cols: 140, rows: 30 });
  expect(lines.slice(-told.length)).toEqual(told);
  expect(lines.filter((line) => RULE.test(line))).toEqual([]);
});

test.skipIf(!hasPty)("an agent's output is shown as text and does not control the terminal", LIMIT, async () => {
  const stage = makeStage(`${ESC}[2J${ESC}[H${ESC}]0;owned\u0007${ESC}[31mlooks harmless${ESC}[?1049h`);
  const session = stage.run({ cols: 100, rows: 30 });
  await session.sees(/● writer .*looks harmless/);
  stage.letGo();
  expect(await session.exited).toBe(0);
  for (const evil of [`${ESC}[2J`, "owned", `${ESC}[?1049h`, `${ESC}[31mlooks`]) {
    expect(session.bytes()).not.toContain(evil);
  }
});

test.skipIf(!hasPty)("Ctrl-C stops in order, and leaves a usable terminal", LIMIT, async () => {
  const stage = makeStage();
  const session = stage.run({ cols: 100, rows: 30 });
  await session.sees(/waiting for 1 agent/);
  session.press("\u0003");
  expect(await session.exited).toBe(130);
  const lines = await session.lines();
  expect(lines).toContain("stopping: terminating running agents; interrupt again to exit immediately");
  expect(lines.join("\n")).toMatch(/interrupted {2}small/);
  expect(lines.filter((line) => RULE.test(line))).toEqual([]);
  expect(isRestored(session.bytes())).toBe(true);
});

test.skipIf(!hasPty)("SIGTERM restores the terminal too", LIMIT, async () => {
  const session = makeStage().run({ cols: 100, rows: 30 });
  await session.sees(/waiting for 1 agent/);
  session.signal("SIGTERM");
  expect(await session.exited).toBe(143);
  expect(isRestored(session.bytes())).toBe(true);
});

test.skipIf(!hasPty)("a suspended program restores the terminal, and redraws when it continues", LIMIT, async () => {
  const stage = makeStage();
  const session = stage.run({ cols: 100, rows: 30 });
  await session.sees(/waiting for 1 agent/);
  session.signal("SIGTSTP");
  await session.wrote(`${ESC}[?25h`);
  expect((await session.lines()).filter((line) => RULE.test(line))).toEqual([]);
  session.signal("SIGCONT");
  await session.sees(RULE);
  stage.letGo();
  expect(await session.exited).toBe(0);
});

test.skipIf(!hasPty)(
  "a question takes over the terminal, can be postponed, and is reopened by a key",
  LIMIT,
  async () => {
    const stage = makeStage();
    stage.letGo();
    const session = stage.run({ cols: 100, rows: 30 }, "--input", "finish=ask");
    await session.sees(/your choice ›/);
    expect((await session.lines()).filter((line) => RULE.test(line))).toEqual([]);
    session.press("l\r");
    await session.sees(/◆ 1 question: Keep it\?.*a answer$/);
    session.press("a");
    await session.sees(/your choice › *$/);
    session.press("1\r");
    await session.sees(/note \(optional\)/);
    session.press("\r");
    expect(await session.exited).toBe(0);
    expect((await session.lines()).join("\n")).toMatch(/▪ Keep it\? keep by /);
  },
);

test.skipIf(!hasPty)(
  "an agent's transcript opens in the pager, and new lines wait until it is closed",
  LIMIT,
  async () => {
    const stage = makeStage("reading the whole of it");
    const session = stage.run({ cols: 100, rows: 30 });
    await session.sees(/● writer .*reading/);
    session.press("t");
    await session.wrote("· run: true # reading the whole of it (exit 0)\r\n");
    await session.sees(RULE);
    stage.letGo();
    expect(await session.exited).toBe(0);
  },
);

test.skipIf(!hasPty).each([
  ["--plain", ["--plain"], {}],
  ["CI", [], { CI: "true" }],
])("with %s a terminal gets plain lines and no live view", LIMIT, async (_name, flags, env) => {
  const stage = makeStage();
  stage.letGo();
  const args = ["-C", stage.repo, "run", "small", "Write it", "--agents", stage.agents, ...flags];
  const session = openSession({ args, cwd: stage.repo, env: { ...stage.env, ...env }, cols: 100, rows: 30 });
  expect(await session.exited).toBe(0);
  expect(session.bytes()).not.toContain(`${ESC}[?25l`);
  expect(session.bytes()).not.toContain(`${ESC}[J`);
});

test.skipIf(!hasPty)("a key pauses the run, and stopping an agent asks for its number first", LIMIT, async () => {
  const stage = makeStage();
  const session = stage.run({ cols: 120, rows: 30 });
  await session.sees(/s stop one agent/);
  session.press("s");
  await session.sees(/stop one agent: which agent\? 1,/);
  session.press("x");
  await session.sees(/p pause/);
  session.press("p");
  expect(await session.exited).toBe(3);
  expect((await session.lines()).join("\n")).toMatch(/paused {2}small/);
});
