import { expect, test } from "vitest";
import { isInstruction } from "./agent-instructions.ts";

test.each([
  "AGENTS.md",
  "packages/a/AGENTS.md",
  "claude.md",
  "docs/GEMINI.md",
  ".claude/agents/reviewer.md",
  "sub/.claude/settings.json",
  ".codex/config.toml",
  ".cursor/rules/x.mdc",
  ".opencode/agent/planner.md",
  ".github/agents/planner.agent.md",
  "Planner.agent.md",
  ".github/copilot-instructions.md",
  ".github/instructions/x.instructions.md",
  "sub/.signalbox/config.yaml",
  ".CLAUDE/agents/x.md",
  ".mcp.json",
])("[A-19] %s is read by agents as an order", (path) => {
  expect(isInstruction(path)).toBe(true);
});

test.each([
  "src/agents.ts",
  "docs/agents/x.md",
  "agents/AGENTS.md.txt",
  "README.md",
  ".github/workflows/ci.yml",
  "claude/x.md",
])("%s is a file like any other", (path) => {
  expect(isInstruction(path)).toBe(false);
});
