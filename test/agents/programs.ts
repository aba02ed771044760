import { type AgentPackage, CLAUDE, CODEX, GEMINI, GOOSE } from "./install.ts";

/** The user's side of a real program: its name in a configuration, and the variables that name its model. */
export type AgentProgram = {
  readonly package: AgentPackage;
  readonly model: string;
  variables(url: string): Readonly<Record<string, string>>;
};

export type ProgramName = keyof typeof PROGRAMS;

export const PROGRAMS = {
  codex: {
    package: CODEX,
    model: "gpt-5.5",
    variables: (url) => ({ CODEX_BASE_URL: url, CODEX_API_KEY: "sk-loopback" }),
  },
  goose: {
    package: GOOSE,
    model: "gpt-4o",
    variables: (url) => ({
      GOOSE_PROVIDER: "openai",
      OPENAI_HOST: new URL(url).origin,
      OPENAI_BASE_PATH: `${new URL(url).pathname.slice(1)}/chat/completions`,
      OPENAI_API_KEY: "sk-loopback",
    }),
  },
  claude: {
    package: CLAUDE,
    model: "sonnet",
    variables: (url) => ({ ANTHROPIC_BASE_URL: url.replace(/\/v1$/, ""), ANTHROPIC_API_KEY: "sk-loopback" }),
  },
  gemini: {
    package: GEMINI,
    model: "gemini-2.5-pro",
    variables: (url) => ({ GOOGLE_GEMINI_BASE_URL: url.replace(/\/v1$/, ""), GEMINI_API_KEY: "loopback" }),
  },
} as const satisfies Readonly<Record<string, AgentProgram>>;
