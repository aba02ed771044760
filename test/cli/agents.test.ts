import { execFileSync } from "node:child_process";
import { cpSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { lastEvent, makeScene } from "./scene.ts";

const resolveExample = (name: string): string => fileURLToPath(new URL(`../../examples/${name}`, import.meta.url));

test("the example pipeline runs on the scripted-agents example", async () => {
  const scene = makeScene();
  cpSync(resolveExample("own-pipeline.ts"), `${scene.repo}/.signalbox/pipelines/tidy.ts`);
  const flags = ["--agents", resolveExample("scripted-agents.yaml"), "--approvals", "autonomous", "--json"];
  const ended = await scene.signalbox("run", "tidy", "Give the README a title", ...flags);
  expect(ended.exit).toBe(0);
  expect(ended.events.filter((event) => event.type === "agent.retried")).toHaveLength(1);
  expect(scene.git("show", `signalbox/${String(lastEvent(ended)["run"])}:README.md`)).toBe("# A title\n");
});

const PROGRAM = `
const { readFileSync, writeFileSync } = require("node:fs");
const nonce = /"nonce":\\s*"([^"]+)"/.exec(readFileSync(0, "utf8"))[1];
writeFileSync("b.txt", "by a program\\n");
console.log(JSON.stringify({ nonce, contract: { summary: "write b" } }));
`;

test("any program in the configuration can be assigned to a role", async () => {
  const scene = makeScene();
  const program = scene.put("../agent.cjs", PROGRAM);
  scene.put(
    ".signalbox/config.yaml",
    JSON.stringify({ agents: { "*": { driver: "command", argv: [process.execPath, program] } } }),
  );
  const ended = await scene.signalbox("run", "small", "x", "--json");
  expect(ended.exit, ended.out + ended.err).toBe(0);
  expect(scene.git("show", `signalbox/${String(lastEvent(ended)["run"])}:b.txt`)).toBe("by a program\n");
});

test("a missing agent program is reported before anything starts", async () => {
  const scene = makeScene();
  scene.put(".signalbox/config.yaml", "agents: { writer: { driver: command, argv: [no-such-agent] } }\n");
  const ended = await scene.signalbox("run", "small", "x", "--json");
  expect(ended.exit).toBe(4);
  expect(lastEvent(ended)).toMatchObject({ code: "AGENT_MISSING" });
  expect(lastEvent(ended)["message"]).toContain("no-such-agent");
});

test("a missing known program is reported with its install command", async () => {
  const scene = makeScene();
  // The PATH has only git, so no agent installed on this machine is found.
  const bin = dirname(scene.put("../bin/.keep", ""));
  symlinkSync(execFileSync("which", ["git"], { encoding: "utf8" }).trim(), join(bin, "git"));
  const ended = await scene.from({ env: { PATH: bin } }, "run", "small", "x", "--agent", "*=codex", "--json");
  expect(lastEvent(ended)).toMatchObject({
    code: "AGENT_MISSING",
    hint: expect.stringContaining("npm install -g @openai/codex"),
  });
});
