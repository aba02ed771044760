import { expect, test } from "vitest";
import { TEST_FILES } from "../../core/checks/guard/test-files.ts";
import { mayWrite } from "./write-scope.ts";

test("without globs every path may change, except kept ones", () => {
  expect(mayWrite("a/b.ts", {})).toBe(true);
  expect(mayWrite("plan.md", { kept: ["plan.md"] })).toBe(false);
  expect(mayWrite("state/x.md", { kept: ["state"], writes: ["**"] })).toBe(false);
  expect(mayWrite("state.md", { kept: ["state"] })).toBe(true);
});

test("a kept file may change if it is granted by name", () => {
  expect(mayWrite("plan.md", { kept: ["plan.md"], writes: ["plan.md"] })).toBe(true);
  expect(mayWrite("plan.md", { kept: ["plan.md"], writes: ["*.md"] })).toBe(false);
});

test("[A-01] the engine's own files are never taken, unless granted by name", () => {
  expect(mayWrite(".signalbox/config.yaml", {})).toBe(false);
  expect(mayWrite(".signalbox/signalbox.db", { writes: ["**"] })).toBe(false);
  expect(mayWrite(".signalbox/config.yaml", { writes: [".signalbox/config.yaml"] })).toBe(true);
  expect(mayWrite(".signalbox/pipelines/own.ts", { writes: [".signalbox/pipelines/own.ts"] })).toBe(true);
  expect(mayWrite(".signalbox.md", {})).toBe(true);
});

test.each([
  ".signalbox",
  ".signalbox/signalbox.db",
  ".signalbox/signalbox.db-wal",
  ".signalbox/runs/r/start.json",
  ".signalbox/mailbox/d/reply.json",
  ".signalbox/config.local.yaml",
  ".Signalbox/signalbox.db",
  ".SIGNALBOX/config.yaml",
])("[A-01] %s is never taken, whatever a plan names", (path) => {
  for (const writes of [undefined, ["**"], [path], [path, ".signalbox/**"], [".signalbox/"]])
    expect(mayWrite(path, writes ? { writes } : {})).toBe(false);
});

test.each([
  "AGENTS.md",
  "sub/CLAUDE.md",
  ".claude/agents/reviewer.md",
  ".github/agents/x.agent.md",
  "sub/.signalbox/config.yaml",
])("[A-01] %s, which the next agent would follow, is taken only by name or if the team allows it", (path) => {
  for (const scope of [{}, { writes: ["**"] }, { writes: [`${path}*`] }]) expect(mayWrite(path, scope)).toBe(false);
  expect(mayWrite(path, { writes: [path] })).toBe(true);
  expect(mayWrite(path, { free: ["**"] })).toBe(true);
  expect(mayWrite(path, { writes: ["src/**"], free: ["**"] })).toBe(false);
  expect(mayWrite(path, { writes: [path, `!${path}`] })).toBe(false);
});

test("a glob after an exclamation mark excludes what others permit", () => {
  const writes = ["**", "!docs/feature/**", "!.github/"];
  expect(mayWrite("src/a.ts", { writes })).toBe(true);
  expect(mayWrite("docs/feature/x/plan.md", { writes })).toBe(false);
  expect(mayWrite(".github/agents/a.agent.md", { writes })).toBe(false);
  expect(mayWrite("docs/other.md", { writes })).toBe(true);
  expect(mayWrite("src/a.ts", { writes: ["!docs/**"] })).toBe(false);
});

test.each([
  ["src/**", "src/a/.b/c.ts", true],
  ["**", ".github/workflows/ci.yml", true],
  ["*.ts", "a.test.ts", true],
  ["*.ts", "src/a.ts", false],
  ["**/*.md", "a.md", true],
  ["**/*.md", ".x/y/.z.md", true],
  ["src/{a,b}/*.ts", "src/b/x.ts", true],
  ["file{,.test}.ts", "file.test.ts", true],
  ["docs/", "docs/deep/x.md", true],
  ["docs", "docs/x.md", false],
  ["./src/a.ts", "src/a.ts", true],
  ["app/[id]/page.ts", "app/[id]/page.ts", true],
  ["src/*", "src/new\nline", true],
  ["a?c", "a.c", true],
  ["nothing", "else", false],
  [TEST_FILES, "crates/x/tests/a.rs", true],
  [TEST_FILES, "crates/x/src/a.rs", false],
])("the glob %j and the path %j: %s", (glob, path, expected) => {
  expect(mayWrite(path, { writes: [glob] })).toBe(expected);
});
