import { dirname } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { cutOff, HALF, leftBehind } from "../cli/cut-off.ts";
import { makeScene } from "../cli/scene.ts";
import type { ModelRequest } from "../model/play.ts";
import { type ModelServer, modelServer } from "../model/server.ts";
import { installAgent } from "./install.ts";
import { PROGRAMS, type ProgramName } from "./programs.ts";

const RUN_MS = 240_000;

/** Real programs whose engine is killed in the middle of a command, through the command line. */
export function cutOffSuite(names: readonly ProgramName[]): void {
  describe("a run killed in the middle of an agent's command and resumed", () => {
    let model: ModelServer;
    beforeAll(async () => {
      model = await modelServer();
    });
    afterAll(() => model.close());

    it.for(names)("continues the session of the real %s", { timeout: RUN_MS }, async (name, { skip }) => {
      const program = PROGRAMS[name];
      const installed = await installAgent(program.package);
      if ("missing" in installed) return skip(installed.missing);
      const url = model.play(
        name,
        { shell: `echo half > ${HALF}; sleep 300` },
        { shell: "echo rest > rest.txt" },
        { text: createContract },
      );
      const PATH = `${dirname(installed.bin)}:${process.env["PATH"]}`;
      const scene = makeScene({ env: { ...program.variables(url), PATH } });
      const run = await cutOff(scene, `${name}:${program.model}`, "SIGKILL");
      const ended = await scene.signalbox("resume", "--json");
      expect(ended.exit, ended.out + ended.err).toBe(0);
      expect(scene.git("show", `signalbox/${run}:${HALF}`, `signalbox/${run}:rest.txt`)).toBe("half\nrest\n");
      const prompts = model.requests(name).at(-1)?.prompts.join("\n") ?? "";
      // One session: first the task, then the notice about the interruption.
      expect(prompts).toMatch(/# Your input.*You were interrupted/s);
      expect(leftBehind(scene)).toEqual([]);
    });
  });
}

/** Uses the latest nonce: an answer with an earlier one would be rejected. */
function createContract(_prompt: string, { prompts }: ModelRequest): string {
  const nonce = [...prompts.join("\n").matchAll(/"nonce":\s*"([^"]+)"/g)].at(-1)?.[1];
  return JSON.stringify({ nonce, contract: { summary: "write two files" } });
}
