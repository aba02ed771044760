import { chmodSync, copyFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { cutOff, HALF, leftBehind } from "./cut-off.ts";
import { makeScene, type Scene } from "./scene.ts";

const FAKE = fileURLToPath(new URL("../agents/fake-codex.mjs", import.meta.url));

/** Writes half of the work and never finishes; when its session is resumed, it writes the rest. */
const TWO_SITTINGS = {
  kind: "hangs",
  writes: { path: HALF, content: "half\n" },
  resumed: {
    kind: "answers",
    writes: { path: "rest.txt", content: "rest\n" },
    contract: { summary: "write two files" },
  },
};

function createCodexScene(): Scene {
  const bin = mkdtempSync(join(tmpdir(), "signalbox-bin-"));
  onTestFinished(() => rmSync(bin, { recursive: true, force: true }));
  // The sandbox hides /tmp, where this clone may be; the folder of the agent's program is always visible.
  const fake = join(bin, "fake-codex.mjs");
  copyFileSync(FAKE, fake);
  const act = JSON.stringify(TWO_SITTINGS);
  const script = `#!/bin/sh\nFAKE_CODEX='${act}' exec '${process.execPath}' '${fake}' "$@"\n`;
  writeFileSync(join(bin, "codex"), script);
  chmodSync(join(bin, "codex"), 0o755);
  return makeScene({ env: { PATH: `${bin}:${process.env["PATH"]}`, CODEX_API_KEY: "any" } });
}

test.each(["SIGKILL", "SIGINT"] as const)(
  "[U-02] [U-15] after %s the next engine resumes the agent's session",
  async (signal) => {
    const scene = createCodexScene();
    const run = await cutOff(scene, "codex", signal);
    expect(leftBehind(scene)).toHaveLength(2);
    const ended = await scene.signalbox("resume", "--json");
    expect(ended.exit, ended.out + ended.err).toBe(0);
    const { out } = await scene.signalbox("events", "--json");
    const events = out.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line)]));
    const [first, second] = events.filter(({ type }) => type === "agent.started");
    const [cut] = events.filter(({ type }) => type === "agent.finished");
    expect([first.continues, cut.outcome, typeof cut.session]).toEqual([undefined, "interrupted", "string"]);
    expect(second).toMatchObject({ attempt: 2, continues: cut.session });
    expect(scene.git("show", `signalbox/${run}:${HALF}`, `signalbox/${run}:rest.txt`)).toBe("half\nrest\n");
    const logs = await scene.signalbox("logs");
    expect(logs.out).toContain("attempt 2, continues attempt 1");
    expect(leftBehind(scene)).toEqual([]);
  },
);

test("a canceled run deletes the state stored for resuming it", async () => {
  const scene = createCodexScene();
  await cutOff(scene, "codex", "SIGINT");
  expect(leftBehind(scene)).toHaveLength(2);
  expect((await scene.signalbox("cancel")).exit).toBe(0);
  expect(leftBehind(scene)).toEqual([]);
});

test("a different agent starts without the previous session", async () => {
  const scene = createCodexScene();
  const run = await cutOff(scene, "codex", "SIGKILL");
  const ended = await scene.signalbox("resume", "--agents", scene.agents, "--json");
  expect(ended.exit, ended.out + ended.err).toBe(0);
  expect(scene.git("ls-tree", "--name-only", `signalbox/${run}`)).not.toContain(HALF);
  expect(leftBehind(scene)).toEqual([]);
});
