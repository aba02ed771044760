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

  it("serves each address its own script, step by step, and repeats the last step", async () => {
    const one = model.play("one", { text: "first" }, { text: "second" });
    const two = model.play("two", { text: "other" });
    expect(await said(one)).toContain("first");
    expect(await said(two)).toContain("other");
    expect(await said(one)).toContain("second");
    expect(await said(one)).toContain("second");
    expect(model.requests("one")).toHaveLength(3);
  });

  it("writes a file with whichever tool the client offers", async () => {
    const base = model.play("write", { write: { path: "a.txt", content: "x\n" } });
    expect(await said(base)).toContain("*** Add File: a.txt");
    expect(await said(base, TOOLS.slice(0, 1))).toContain("printf %s");
  });

  it("answers side calls without tools, which use up no step", async () => {
    const base = model.play("side", { text: "the answer" });
    expect(await said(base, [])).not.toContain("the answer");
    expect(model.requests("side")).toEqual([]);
  });

  it("answers with a status, and with 404 where no script exists", async () => {
    expect((await ask(model.play("limited", { http: 429 }))).status).toBe(429);
    expect((await ask(model.play("known", { text: "x" }).replace("known", "unknown"))).status).toBe(404);
  });

  it("cuts an answer after its first event", async () => {
    const response = await ask(model.play("cut", { cut: true }));
    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toThrow();
  });

  it("never answers a hanging step, and reports that it was requested", async () => {
    const controller = new AbortController();
    const base = model.play("hang", { hang: true });
    const body = JSON.stringify({ tools: TOOLS, input: [] });
    const pending = fetch(`${base}/responses`, { method: "POST", body, signal: controller.signal });
    await model.asked("hang", 1);
    controller.abort();
    await expect(pending).rejects.toThrow("abort");
  });

  const PROPERTIES = { properties: { path: {}, content: {}, command: {}, note: {} }, required: ["command", "note"] };
  const named = (name: string) => ({ name, input_schema: PROPERTIES, parameters: PROPERTIES });
  const user = { role: "user", content: "hello" };
  const apis: readonly (readonly [string, string, (tools: readonly string[], stream: boolean) => object])[] = [
    ["Anthropic's messages", "/messages", (tools, stream) => ({ stream, tools: tools.map(named), messages: [user] })],
    [
      "OpenAI's chat completions",
      "/chat/completions",
      (tools, stream) => ({ stream, tools: tools.map((name) => ({ function: named(name) })), messages: [user] }),
    ],
    [
      "Google's generateContent",
      "/models/x:generateContent",
      (tools) => ({
        tools: [{ functionDeclarations: tools.map(named) }],
        contents: [{ role: "user", parts: [{ text: "hello" }] }],
      }),
    ],
  ];
  describe.each(apis)("over %s", (_name, path, body) => {
    const post = async (base: string, tools: readonly string[], stream = false) => {
      const address = stream ? `${base}${path.replace(":generate", ":streamGenerate")}` : `${base}${path}`;
      return fetch(address, { method: "POST", body: JSON.stringify(body(tools, stream)) });
    };

    it("calls tools by the client's own names, fills their required fields, and reads the prompt", async () => {
      const base = model.play(
        `tools of ${path}`,
        { write: { path: "a.txt", content: "x" } },
        { shell: "ls" },
        { text: (prompt) => `You said ${prompt}` },
      );
      const written = await (await post(base, ["write", "shell"])).text();
      expect(written.replaceAll("\\", "")).toContain('{"path":"a.txt","content":"x"}');
      const listed = await (await post(base, ["write", "shell"])).text();
      expect(listed.replaceAll("\\", "")).toContain('{"note":"ok","command":"ls"}');
      expect(await (await post(base, ["write"])).text()).toContain("You said hello");
    });

    it("streams, cuts and refuses in the API's own format", async () => {
      const base = model.play(`ends of ${path}`, { text: "streamed" }, { cut: true }, { http: 429, message: "slowly" });
      const streamed = await post(base, ["write"], true);
      expect(streamed.headers.get("content-type")).toBe("text/event-stream");
      expect(await streamed.text()).toContain("streamed");
      await expect(post(base, ["write"], true).then((response) => response.text())).rejects.toThrow();
      const refused = await post(base, ["write"], true);
      expect(refused.status).toBe(429);
      expect(await refused.json()).toMatchObject({ error: { message: "slowly" } });
    });
  });

  it("answers through the client's answer tool if it has one, otherwise as text", async () => {
    const base = model.play("structured", { structured: { ok: true } });
    const ask = async (name: string) => {
      const body = JSON.stringify({ tools: [named(name)], messages: [user] });
      return (await fetch(`${base}/messages`, { method: "POST", body })).json();
    };
    expect(await ask("StructuredOutput")).toMatchObject({ content: [{ type: "tool_use", input: { ok: true } }] });
    expect(await ask("Write")).toMatchObject({ content: [{ type: "text", text: '{"ok":true}' }] });
  });
});
