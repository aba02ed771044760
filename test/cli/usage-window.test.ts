import { chmodSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { lastEvent, makeScene, type Scene } from "./scene.ts";

const CONTRACT = `
const nonce = /"nonce":\\s*"([^"]+)"/.exec(require("node:fs").readFileSync(0, "utf8"))[1];
require("node:fs").writeFileSync("b.txt", "by the other one\\n");
console.log(JSON.stringify({ nonce, contract: { summary: "write b" } }));
`;

/** One agent that is rate-limited for hours, and one that is not. */
function createTwoAgentScene(): Scene & { choose(policy: string): void } {
  const scene = makeScene();
  const writeProgram = (name: string, text: string): string => {
    const file = scene.put(`../${name}`, `#!/usr/bin/env node\n${text}`);
    chmodSync(file, 0o755);
    return file;
  };
  const refused = writeProgram(
    "refused.cjs",
    'console.error("Usage limit reached. Try again in 3 hours."); process.exit(1)',
  );
  const other = writeProgram("other.cjs", CONTRACT);
  const who = `{ driver: command, argv: ["${refused}"], instead: { driver: command, argv: ["${other}"] } }`;
  const renderConfig = (policy: string) => `agents: { "*": ${who} }\nusage-window: ${policy}\n`;
  return { ...scene, choose: (policy) => void scene.put(".signalbox/config.yaml", renderConfig(policy)) };
}

describe("a run whose agent has exhausted its usage window", () => {
  test("continues with the configured fallback agent", async () => {
    const scene = createTwoAgentScene();
    scene.choose("switch");
    const ended = await scene.signalbox("run", "small", "x", "--input", "finish=twice", "--json");
    expect(ended.exit, ended.out + ended.err).toBe(0);
    expect(scene.git("show", `signalbox/${String(lastEvent(ended)["run"])}:b.txt`)).toBe("by the other one\n");
    const refusals = ended.events.filter(({ type, outcome }) => type === "agent.finished" && outcome === "failed");
    // The second dispatch is refused without a process, because the end of the window is known by then.
    expect(refusals.map(({ ms }) => ms === 0)).toEqual([false, true]);
  });

  test("stops with 5, prints the reason and the next command, and continues under another policy", async () => {
    const scene = createTwoAgentScene();
    scene.choose("stop");
    const stopped = await scene.signalbox("run", "small", "x", "--json");
    expect(stopped.exit, stopped.out + stopped.err).toBe(5);
    expect(lastEvent(stopped)).toMatchObject({ type: "run.suspended", status: "budget" });
    const status = await scene.signalbox("status");
    expect(status.out).toContain("writer  waits for your decision: ");
    expect(status.out).toMatch(/next: signalbox resume \S+$/m);
    scene.choose("switch");
    const resumed = await scene.signalbox("resume", "--json");
    expect(resumed.exit, resumed.out + resumed.err).toBe(0);
  });

  test("waits until the window opens, and then finishes", async () => {
    const scene = makeScene();
    scene.put(
      "../agents.yaml",
      `agents:
  - { role: writer, attempt: 1, do: [{ misbehave: "used-up:1" }] }
  - { role: writer, do: [{ write: { path: a.txt, content: hi } }], output: { summary: write } }
`,
    );
    const ended = await scene.signalbox("run", "small", "x", "--agents", scene.agents);
    expect(ended.exit, ended.out + ended.err).toBe(0);
    expect(ended.out).toMatch(/↻ writer .*waits until \d\d:\d\d for its usage limit, attempt 2/);
  });
});
