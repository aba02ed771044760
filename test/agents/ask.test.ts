import { chmodSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makeScene } from "../cli/scene.ts";
import type { ModelRequest } from "../model/play.ts";
import { type ModelServer, modelServer } from "../model/server.ts";
import { CODEX, GOOSE, installAgent } from "./install.ts";

/** The word of the question, from among all that a program tells its model. */
const word = (_prompt: string, { prompts }: ModelRequest): string =>
  /ready-[0-9a-f]{6}/.exec(prompts.join("\n"))?.[0] ?? "what?";

describe("doctor --ask", () => {
  let model: ModelServer;
  beforeAll(async () => {
    model = await modelServer();
  });
  afterAll(() => model.close());

  /** Both programs as a user has them, who lets Codex speak to a model of his own. */
  async function sceneWithBoth(urls: { readonly codex: string; readonly goose: string }) {
    const [codex, goose] = await Promise.all([installAgent(CODEX), installAgent(GOOSE)]);
    if ("missing" in codex) return codex.missing;
    if ("missing" in goose) return goose.missing;
    const fields = `name="loop",wire_api="responses",base_url="${urls.codex}",env_key="CODEX_API_KEY"`;
    const provider = `-c model_provider=loop -c 'model_providers.loop={${fields},request_max_retries=0}'`;
    const wrapper = `#!/bin/sh\n[ "$1" = exec ] || exec '${codex.bin}' "$@"\nshift\nexec '${codex.bin}' exec ${provider} "$@"\n`;
    const file = makeScene().put("../bin/codex", wrapper);
    chmodSync(file, 0o755);
    const { origin, pathname } = new URL(`${urls.goose}/chat/completions`);
    const scene = makeScene({
      env: {
        PATH: [dirname(file), dirname(codex.bin), dirname(goose.bin), process.env["PATH"]].join(":"),
        CODEX_API_KEY: "sk-loopback-codex",
        GOOSE_PROVIDER: "openai",
        OPENAI_HOST: origin,
        OPENAI_BASE_PATH: pathname.slice(1),
        OPENAI_API_KEY: "sk-loopback-goose",
      },
    });
    const agents = { "*": { driver: "codex", model: "gpt-5.5" }, reviewer: { driver: "goose", model: "gpt-4o" } };
    scene.put(".signalbox/config.yaml", JSON.stringify({ agents }));
    return scene;
  }

  it("has an answer of the real codex and the real goose, with what it cost", async ({ skip }) => {
    const urls = { codex: model.play("codex", { text: word }), goose: model.play("goose", { text: word }) };
    const scene = await sceneWithBoth(urls);
    if (typeof scene === "string") return skip(scene);
    const told = await scene.signalbox("doctor", "--ask", "--json");
    expect(told.exit, told.out + told.err).toBe(0);
    const answered = { outcome: "answered", asAsked: true, needed: true };
    expect(JSON.parse(told.out).asked).toMatchObject([
      { agent: "codex:gpt-5.5", ...answered, usage: { inputTokens: 100, outputTokens: 20 } },
      { agent: "goose:gpt-4o", roles: ["reviewer"], ...answered, usage: { inputTokens: 100, outputTokens: 20 } },
    ]);
    expect(model.requests("codex")[0]?.prompts.join("\n")).not.toContain(join(scene.repo, "README.md"));
  });

  it("names a refused key of the real codex and the real goose, and how to log in", async ({ skip }) => {
    const urls = { codex: model.play("codex-401", { http: 401 }), goose: model.play("goose-401", { http: 401 }) };
    const scene = await sceneWithBoth(urls);
    if (typeof scene === "string") return skip(scene);
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
