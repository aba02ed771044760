import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeScene } from "../cli/scene.ts";
import { BIN } from "../support/program.ts";
import { type Served, served } from "./served.ts";

const scene = makeScene();
const editor = new Client({ name: "an editor", version: "1" }, { capabilities: { elicitation: { form: {} } } });
let page: Served;

/** The action of the person at the editor once the question is shown. */
let onQuestionShown = async (): Promise<void> => undefined;

beforeAll(async () => {
  page = await served(scene);
  editor.setRequestHandler("elicitation/create", async () => {
    await onQuestionShown();
    return { action: "accept", content: { choice: "keep" } };
  });
  const env = Object.fromEntries(Object.entries(scene.env).flatMap(([name, value]) => (value ? [[name, value]] : [])));
  const args = [BIN, "-C", scene.repo, "mcp"];
  await editor.connect(new StdioClientTransport({ command: process.execPath, args, env }));
});
afterAll(() => editor.close());

async function startSuspendedRun(): Promise<{ readonly run: string; readonly approval: string }> {
  const ended = await scene.signalbox(
    ...["run", "small", "x", "--input", "finish=ask", "--agents", scene.agents, "--json"],
  );
  const asked = ended.events.find(({ type }) => type === "approval.requested");
  return { run: String(asked?.["run"]), approval: String(asked?.["approval"]) };
}

async function answerInEditor(id: string): Promise<Readonly<Record<string, unknown>>> {
  const { content } = await editor.callTool({ name: "question_answer", arguments: { id } });
  const [first] = content as { text: string }[];
  return JSON.parse(first?.text ?? "null");
}

test("[A-32] one question answered from terminal, page and editor at once: one wins, and the others learn who", {
  timeout: 240_000,
}, async () => {
  const winners: string[] = [];
  for (let n = 0; n < 4; n += 1) {
    const { approval, run } = await startSuspendedRun();
    const { hash } = (await page.get(`/api/questions/${approval}`)) as { hash: string };
    const start = Promise.withResolvers<void>();
    onQuestionShown = async () => start.resolve();
    const editorSaid = answerInEditor(approval);
    // All three show the question; from here on they act independently.
    await start.promise;
    const [web, cli, mcp] = await Promise.all([
      page.post(`/api/questions/${approval}/answer`, { choice: "abort", hash }),
      scene.signalbox("approve", approval, "--choose", "revise", "--note", "shorter"),
      editorSaid,
    ]);
    const won = { page: web.status === 200, terminal: cli.exit === 0, editor: !("error" in mcp) };
    const winner = Object.entries(won).flatMap(([name, counts]) => (counts ? [name] : []));
    expect(winner, JSON.stringify([web.json, cli.err, mcp])).toHaveLength(1);
    const [choice] = winner.map((name) => ({ page: "abort", terminal: "revise", editor: "keep" })[name] ?? "");
    if (!won.page) expect(web.json).toMatchObject({ error: { code: "ANSWERED" }, choice });
    if (!won.terminal) expect(cli.err).toContain(`already answered: ${choice} by `);
    if (!won.editor) expect(mcp["message"]).toContain(`already answered: ${choice} by `);
    expect(await page.get(`/api/questions/${approval}`)).toMatchObject({ answered: { choice } });
    winners.push(...winner);
    await page.post(`/api/runs/${run}/cancel`, { note: "enough" });
  }
  expect(winners).toHaveLength(4);
});
