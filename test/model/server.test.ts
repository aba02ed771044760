import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ModelServer, modelServer } from "./server.ts";

const TOOLS = [
  { type: "function", name: "exec_command" },
  { type: "custom", name: "apply_patch" },
];

describe("the scripted model", () => {
  let model: ModelServer;
  beforeAll(async () => {
    model = await modelServer();
  });
  afterAll(() => model.close());

  const ask = (base: string, tools: readonly unknown[] = TOOLS) =>
    fetch(`${base}/responses`, {
      method: "POST",
      body: JSON.stringify({ stream: true, tools, input: [{ role: "user", content: [{ text: "hello" }] }] }),
    });
  const said = async (base: string, tools?: readonly unknown[]) => (await ask(base, tools)).text();

  it("plays each address its own script, step by step, and repeats the last", async () => {
    const one = model.play("one", { text: "first" }, { text: "second" });
    const two = model.play("two", { text: "other" });
    expect(await said(one)).toContain("first");
    expect(await said(two)).toContain("other");
    expect(await said(one)).toContain("second");
    expect(await said(one)).toContain("second");
    expect(model.requests("one")).toHaveLength(3);
  });

  it("writes a file with whatever the client offers", async () => {
    const base = model.play("write", { write: { path: "a.txt", content: "x\n" } });
    expect(await said(base)).toContain("*** Add File: a.txt");
    expect(await said(base, TOOLS.slice(0, 1))).toContain("printf %s");
  });

  it("gives side calls without tools an answer that uses nothing up", async () => {
    const base = model.play("side", { text: "the answer" });
    expect(await said(base, [])).not.toContain("the answer");
    expect(model.requests("side")).toEqual([]);
  });

  it("answers with a status, and with 404 where no script is", async () => {
    expect((await ask(model.play("limited", { http: 429 }))).status).toBe(429);
    expect((await ask(model.play("known", { text: "x" }).replace("known", "unknown"))).status).toBe(404);
  });

  it("cuts an answer off after its first event", async () => {
    const response = await ask(model.play("cut", { cut: true }));
    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toThrow();
  });

  it("never answers a hanging play, and says that it was asked", async () => {
    const controller = new AbortController();
    const base = model.play("hang", { hang: true });
    const body = JSON.stringify({ tools: TOOLS, input: [] });
    const pending = fetch(`${base}/responses`, { method: "POST", body, signal: controller.signal });
    await model.asked("hang", 1);
    controller.abort();
    await expect(pending).rejects.toThrow("abort");
  });
});
