import { defineDriver } from "../descriptor.ts";
import { CLAUDE_LOGIN, CLAUDE_VARIABLES } from "./claude-login.ts";

export const CLAUDE = defineDriver({
  name: "claude",
  program: "claude",
  install: "npm install -g @anthropic-ai/claude-code",
  tried: "2.1.325",
  logIn: "claude auth login, or set ANTHROPIC_API_KEY",
  login: CLAUDE_LOGIN,
  variables: () => CLAUDE_VARIABLES,
  definitions: { folder: ".claude/agents", ending: ".md" },
  marks: ["CLAUDECODE"],
  async create({ limits, logins: [login] }) {
    const { createClaudeDriver } = await import("./claude-driver.ts");
    return createClaudeDriver({ limits, ...(login === undefined ? {} : { login }) });
  },
});
