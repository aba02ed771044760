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
  /** How a person logs in, so that an attempt, which has a home of its own, finds it. */
  readonly logIn: string;
  /** The version that the whole suite is run with, where it is. */
  readonly tried?: string;
  /** Where such a program keeps a repository's agent definitions: only there a model's name is one of its own. */
  readonly definitions?: string;
};

/** Agent programs that are looked for on the PATH, in the order in which they are offered. */
export const AGENT_PROGRAMS: readonly AgentProgram[] = [
  {
    program: "claude",
    driver: "claude",
    install: "npm install -g @anthropic-ai/claude-code",
    logIn: "claude auth login, or set ANTHROPIC_API_KEY",
    tried: "2.1.325",
    definitions: ".claude/agents",
  },
  {
    program: "codex",
    driver: "codex",
    install: "npm install -g @openai/codex",
    logIn: "codex login, or set CODEX_API_KEY",
    tried: "0.166.0",
  },
  {
    program: "gemini",
    driver: "gemini",
    install: "npm install -g @google/gemini-cli",
    logIn: "set GEMINI_API_KEY; its login with Google is not used here",
    tried: "0.61.0",
  },
  {
    program: "opencode",
    driver: "opencode",
    install: "npm install -g opencode-ai",
    logIn: "opencode auth login, or set the key of its provider",
    definitions: ".opencode/agent",
  },
  {
    program: "copilot",
    driver: "copilot",
    install: "npm install -g @github/copilot",
    logIn: "export GH_TOKEN=$(gh auth token)",
    definitions: ".github/agents",
  },
  {
    program: "goose",
    driver: "goose",
    install: "see https://block.github.io/goose",
    logIn: "set GOOSE_PROVIDER, GOOSE_MODEL and that provider's key; its own configuration is not used here",
    tried: "1.52.0",
  },
  {
    program: "qwen",
    driver: "qwen",
    install: "npm install -g @qwen-code/qwen-code",
    logIn: "/auth inside qwen, or set OPENAI_API_KEY and OPENAI_BASE_URL",
  },
  {
    program: "kimi",
    driver: "kimi",
    install: "npm install -g @moonshot-ai/kimi-code",
    logIn: "kimi login, or set KIMI_API_KEY",
  },
];
