import type { ACP_PROFILES } from "../drivers/acp/profiles/index.ts";

type AcpName = keyof typeof ACP_PROFILES;

/** The drivers that can be named without a word about them. */
export const READY = [
  ...(["claude", "codex"] as const),
  ...(["copilot", "gemini", "goose", "kimi", "opencode", "qwen"] as const satisfies readonly AcpName[]),
  ...(["mailbox"] as const),
] as const;

/** The drivers that a configuration can name, beside those of its own making. */
export const DRIVERS = ["command", ...READY] as const;
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
  {
    program: "claude",
    driver: "claude",
    install: "npm install -g @anthropic-ai/claude-code",
    definitions: ".claude/agents",
  },
  { program: "codex", driver: "codex", install: "npm install -g @openai/codex" },
  { program: "gemini", driver: "gemini", install: "npm install -g @google/gemini-cli" },
  { program: "opencode", driver: "opencode", install: "npm install -g opencode-ai", definitions: ".opencode/agent" },
  { program: "copilot", driver: "copilot", install: "npm install -g @github/copilot", definitions: ".github/agents" },
  { program: "goose", driver: "goose", install: "see https://block.github.io/goose" },
  { program: "qwen", driver: "qwen", install: "npm install -g @qwen-code/qwen-code" },
  { program: "kimi", driver: "kimi", install: "npm install -g @moonshot-ai/kimi-code" },
];
