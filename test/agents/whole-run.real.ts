import { dirname } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { lastEvent, makeScene } from "../cli/scene.ts";
import type { ModelRequest } from "../model/play.ts";
import { type ModelServer, modelServer } from "../model/server.ts";
import { type AgentPackage, CLAUDE, GEMINI, GOOSE, installAgent } from "./install.ts";

/** The user's side of it: the program on the PATH, the variables that name its model. */
type Whole = readonly [string, AgentPackage, (url: string) => Readonly<Record<string, string>>];

const AGENTS: readonly Whole[] = [
  [
    "claude:sonnet",
    CLAUDE,
    (url) => ({ ANTHROPIC_BASE_URL: url.replace(/\/v1$/, ""), ANTHROPIC_API_KEY: "sk-loopback" }),
  ],
  [
    "goose:gpt-4o",
    GOOSE,
    (url) => ({
      GOOSE_PROVIDER: "openai",
      OPENAI_HOST: new URL(url).origin,
      OPENAI_BASE_PATH: `${new URL(url).pathname.slice(1)}/chat/completions`,
      OPENAI_API_KEY: "sk-loopback",
    }),
  ],
  [
    "gemini:gemini-2.5-pro",
    GEMINI,
    (url) => ({ GOOGLE_GEMINI_BASE_URL: url.replace(/\/v1$/, ""), GEMINI_API_KEY: "loopback" }),
  ],
];

/** The contract that the prompt asks for, with its nonce. */
function contract(_prompt: string, { prompts }: ModelRequest): string {
  const nonce = /"nonce":\s*"([^"]+)"/.exec(prompts.join("\n"))?.[1];
  return JSON.stringify({ nonce, contract: { summary: "write b" } });
}

describe("a whole run", () => {
  let model: ModelServer;
  beforeAll(async () => {
    model = await modelServer();
  });
  afterAll(() => model.close());

  it.for(AGENTS)("with the real %s ends with its commit", async ([agent, program, variables], { skip }) => {
    const installed = await installAgent(program);
    if ("missing" in installed) return skip(installed.missing);
    const url = model.play(agent, { write: { path: "b.txt", content: "by a real agent\n" } }, { text: contract });
    const PATH = `${dirname(installed.bin)}:${process.env["PATH"]}`;
    const scene = makeScene({ env: { ...variables(url), PATH } });
    const ended = await scene.signalbox("run", "small", "x", "--agent", `*=${agent}`, "--json");
    expect(ended.exit, ended.out + ended.err).toBe(0);
    expect(scene.git("show", `signalbox/${String(lastEvent(ended)["run"])}:b.txt`)).toBe("by a real agent\n");
  });
});
