/** The drivers that a configuration can name. */
export const DRIVERS = ["command", "codex", "mailbox"] as const;
export type DriverName = (typeof DRIVERS)[number];

export type AgentProgram = {
  readonly program: string;
  /** How to use it for a role; undefined where this version has no driver of its own for it. */
  readonly driver?: DriverName;
  /** The line that installs it. */
  readonly install: string;
  /** Where such a program keeps a repository's agent definitions: only there a model's name is one of its own. */
  readonly definitions?: string;
};

/** Agent programs that are looked for on the PATH, in the order in which they are offered. */
export const AGENT_PROGRAMS: readonly AgentProgram[] = [
  { program: "claude", install: "npm install -g @anthropic-ai/claude-code", definitions: ".claude/agents" },
  { program: "codex", driver: "codex", install: "npm install -g @openai/codex" },
  { program: "gemini", install: "npm install -g @google/gemini-cli" },
  { program: "opencode", install: "npm install -g opencode-ai", definitions: ".opencode/agent" },
  { program: "copilot", install: "npm install -g @github/copilot", definitions: ".github/agents" },
  { program: "goose", install: "see https://block.github.io/goose" },
];
