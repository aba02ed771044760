import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makeScene } from "../cli/scene.ts";
import type { ModelRequest } from "../model/play.ts";
import { type ModelServer, modelServer } from "../model/server.ts";
import { installAgent } from "./install.ts";
import { PROGRAMS } from "./programs.ts";

/** Extracts the requested word from the messages that a program sends to its model. */
const extractWord = (_prompt: string, { prompts }: ModelRequest): string =>
  /ready-[0-9a-f]{6}/.exec(prompts.join("\n"))?.[0] ?? "what?";

describe("doctor --ask", () => {
  let model: ModelServer;
  beforeAll(async () => {
    model = await modelServer();
  });
  afterAll(() => model.close());

  /** Both programs as a user has them, each with its own model server. */
  async function createSceneWithBoth(plays: { readonly codex: string; readonly goose: string }) {
    const { codex, goose } = PROGRAMS;
    const installed = await Promise.all([installAgent(codex.package), installAgent(goose.package)]);
    const bins = installed.flatMap((each) => ("bin" in each ? [dirname(each.bin)] : []));
    if (bins.length < installed.length) return installed.flatMap((each) => ("missing" in each ? [each.missing] : []));
    const variables = { ...codex.variables(plays.codex), ...goose.variables(plays.goose) };
    const scene = makeScene({ env: { ...variables, PATH: [...bins, process.env["PATH"]].join(":") } });
    const agents = { "*": { driver: "codex", model: codex.model }, reviewer: { driver: "goose", model: goose.model } };
    scene.put(".signalbox/config.yaml", JSON.stringify({ agents }));
    return scene;
  }

  it("gets an answer from the real codex and the real goose, with its cost", async ({ skip }) => {
    const urls = {
      codex: model.play("codex", { text: extractWord }),
      goose: model.play("goose", { text: extractWord }),
    };
    const scene = await createSceneWithBoth(urls);
    if (!("repo" in scene)) return skip(scene.join(" "));
    const told = await scene.signalbox("doctor", "--ask", "--json");
    expect(told.exit, told.out + told.err).toBe(0);
    const answered = { outcome: "answered", asAsked: true, needed: true };
    expect(JSON.parse(told.out).asked).toMatchObject([
      { agent: "codex:gpt-5.5", ...answered, usage: { inputTokens: 100, outputTokens: 20 } },
      { agent: "goose:gpt-4o", roles: ["reviewer"], ...answered, usage: { inputTokens: 100, outputTokens: 20 } },
    ]);
    expect(model.requests("codex")[0]?.prompts.join("\n")).not.toContain(join(scene.repo, "README.md"));
  });

  it("reports a refused key of the real codex and the real goose, and how to log in", async ({ skip }) => {
    const urls = { codex: model.play("codex-401", { http: 401 }), goose: model.play("goose-401", { http: 401 }) };
    const scene = await createSceneWithBoth(urls);
    if (!("repo" in scene)) return skip(scene.join(" "));
    const told = await scene.signalbox("doctor", "--ask", "--json");
    expect(told.exit, told.out + told.err).toBe(4);
    const refused = { outcome: "failed", failure: { class: "deterministic", code: "auth" } };
    expect(JSON.parse(told.out).asked).toMatchObject([
      { ...refused, next: expect.stringContaining("codex login") },
      { ...refused, next: expect.stringContaining("GOOSE_PROVIDER") },
    ]);
    expect(told.out).not.toContain("sk-loopback");
  });
});
