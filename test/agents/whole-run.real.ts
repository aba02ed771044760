import { dirname } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { lastEvent, makeScene } from "../cli/scene.ts";
import type { ModelRequest } from "../model/play.ts";
import { type ModelServer, modelServer } from "../model/server.ts";
import { installAgent } from "./install.ts";
import { type AgentProgram, PROGRAMS } from "./programs.ts";

const AGENTS: readonly (readonly [string, AgentProgram])[] = Object.entries(PROGRAMS);

/** Returns the contract that the prompt asks for, with its nonce. */
function createContract(_prompt: string, { prompts }: ModelRequest): string {
  const nonce = /"nonce":\s*"([^"]+)"/.exec(prompts.join("\n"))?.[1];
  return JSON.stringify({ nonce, contract: { summary: "write b" } });
}

describe("a whole run", () => {
  let model: ModelServer;
  beforeAll(async () => {
    model = await modelServer();
  });
  afterAll(() => model.close());

  it.for(AGENTS)("with the real %s ends with its commit", async ([agent, program], { skip }) => {
    const installed = await installAgent(program.package);
    if ("missing" in installed) return skip(installed.missing);
    const url = model.play(agent, { write: { path: "b.txt", content: "by a real agent\n" } }, { text: createContract });
    const PATH = `${dirname(installed.bin)}:${process.env["PATH"]}`;
    const scene = makeScene({ env: { ...program.variables(url), PATH } });
    const ended = await scene.signalbox("run", "small", "x", "--agent", `*=${agent}:${program.model}`, "--json");
    expect(ended.exit, ended.out + ended.err).toBe(0);
    expect(scene.git("show", `signalbox/${String(lastEvent(ended)["run"])}:b.txt`)).toBe("by a real agent\n");
  });
});
