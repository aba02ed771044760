import { expect, test } from "vitest";
import { createTranscript } from "./transcript.ts";

const read = (lines: readonly string[], begun = false): readonly string[] => {
  const transcript = createTranscript({ begun });
  return lines.flatMap((line) => transcript.lines(line));
};

test("Claude's output is rendered as messages and actions, one line per tool", () => {
  const content = [
    { type: "text", text: "I look first.\nThen I write." },
    { type: "tool_use", name: "Bash", input: { command: "npm test\n  -- --run" } },
  ];
  const lines = [
    { type: "system", subtype: "init", session_id: "s", tools: ["Bash"] },
    { type: "assistant", message: { content } },
    { type: "user", message: { content: [{ type: "tool_result", content: "x".repeat(3_000) }] } },
  ].map((line) => JSON.stringify(line));
  expect(read(lines)).toEqual(["I look first.", "Then I write.", "· Bash: npm test -- --run"]);
});

test("Codex's output is rendered likewise, including errors", () => {
  const lines = [
    { type: "thread.started", thread_id: "t" },
    { type: "item.completed", item: { id: "i", type: "command_execution", command: "ls", status: "completed" } },
    { type: "item.completed", item: { id: "j", type: "agent_message", text: "Done." } },
    { type: "error", message: "Reconnecting… 1/5" },
  ].map((line) => JSON.stringify(line));
  expect(read(lines).at(-1)).toBe("! Reconnecting… 1/5");
  expect(read(lines)).toContain("Done.");
  expect(read(lines).join("\n")).not.toContain("thread_id");
});

test("ACP output can be rendered from the middle, too", () => {
  const sent = (update: unknown) => {
    return { jsonrpc: "2.0", method: "session/update", params: { sessionId: "s", update } };
  };
  const update = (text: string, messageId: string) =>
    sent({ sessionUpdate: "agent_message_chunk", messageId, content: { type: "text", text } });
  const call = { sessionUpdate: "tool_call", toolCallId: "1", title: "npm test", kind: "execute" };
  const lines = [update("Hel", "m"), update("lo.", "m"), sent(call)];
  expect(
    read(
      lines.map((line) => JSON.stringify(line)),
      true,
    ),
  ).toEqual(["Hello.", "· execute: npm test"]);
});

test("lines outside any protocol stay unchanged", () => {
  expect(read(["plain words", '{"mine": 1}', ""])).toEqual(["plain words", '{"mine": 1}']);
});

test("a scripted agent's output is rendered as text, and a line that only looks like it stays unchanged", () => {
  const transcript = createTranscript();
  expect(transcript.lines('{"said":"tool","name":"write","detail":"src/greet.js"}')).toEqual(["· write: src/greet.js"]);
  expect(createTranscript().lines('{"said":"tool","name":1}')).toEqual(['{"said":"tool","name":1}']);
  expect(createTranscript().lines('{"said":')).toEqual(['{"said":']);
});
