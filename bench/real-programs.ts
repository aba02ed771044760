import type { Driver } from "../src/core/ports/driver.ts";
import type { ProcessOrder } from "../src/core/ports/processes.ts";
import { createAcpDriver } from "../src/drivers/acp/acp-driver.ts";
import { GEMINI as GEMINI_PROGRAM } from "../src/drivers/acp/profiles/gemini.ts";
import { GOOSE as GOOSE_PROGRAM } from "../src/drivers/acp/profiles/goose.ts";
import { createClaudeDriver } from "../src/drivers/claude/claude-driver.ts";
import { createCodexDriver } from "../src/drivers/codex/codex-driver.ts";
import { type AgentPackage, CLAUDE, CODEX, GEMINI, GOOSE } from "../test/agents/install.ts";
import { callByHand, promptByHand, talkByHand } from "./by-hand.ts";

export type RealAgent = {
  readonly name: string;
  readonly program: AgentPackage;
  /** Measures a call of the process that the driver would start, without our code. */
  readonly byHand: (order: ProcessOrder) => Promise<number>;
  /** Driver of the program at `bin`, whose model is at this address. */
  driver(bin: string, url: string): Driver;
};

export const REAL_AGENTS: readonly RealAgent[] = [
  { name: "codex", program: CODEX, byHand: callByHand, driver: createCodex },
  { name: "goose", program: GOOSE, byHand: talkByHand, driver: createGoose },
  { name: "claude", program: CLAUDE, byHand: promptByHand, driver: createClaude },
  { name: "gemini", program: GEMINI, byHand: talkByHand, driver: createGemini },
];

function createCodex(bin: string, url: string): Driver {
  const provider = { url, keyName: "LOOPBACK_API_KEY" };
  return createCodexDriver({ bin, model: "gpt-5.5", provider, environment: { set: { LOOPBACK_API_KEY: "loopback" } } });
}

function createGoose(command: string, url: string): Driver {
  const { origin, pathname } = new URL(`${url}/chat/completions`);
  const set = {
    GOOSE_PROVIDER: "openai",
    OPENAI_HOST: origin,
    OPENAI_BASE_PATH: pathname.slice(1),
    OPENAI_API_KEY: "loopback",
  };
  return createAcpDriver({
    name: "goose",
    profile: { ...GOOSE_PROGRAM.profile, command },
    model: "gpt-4o",
    environment: { set },
  });
}

function createClaude(bin: string, url: string): Driver {
  const set = { ANTHROPIC_BASE_URL: url.replace(/\/v1$/, ""), ANTHROPIC_API_KEY: "loopback" };
  return createClaudeDriver({ bin, model: "sonnet", environment: { set } });
}

function createGemini(command: string, url: string): Driver {
  const set = { GOOGLE_GEMINI_BASE_URL: url.replace(/\/v1$/, ""), GEMINI_API_KEY: "loopback" };
  const profile = { ...GEMINI_PROGRAM.profile, command };
  return createAcpDriver({ name: "gemini", profile, model: "gemini-2.5-pro", environment: { set } });
}
