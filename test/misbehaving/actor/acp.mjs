import { createInterface } from "node:readline";
import { printEvents } from "./print.mjs";

const END = { stopReason: "end_turn", usage: { totalTokens: 240, inputTokens: 200, outputTokens: 40 } };
const send = (message) => printEvents({ jsonrpc: "2.0", ...message });

/** The Agent Client Protocol from the greeting to the first prompt; the play begins with the prompt. */
export function openVoice() {
  return new Promise((resolve) => {
    let ended = () => undefined;
    const lines = createInterface({ input: process.stdin });
    lines.on("line", (line) => {
      const { id, method, params } = JSON.parse(line);
      if (method === "session/cancel") ended();
      if (method === "session/prompt") resolve(voiceOf(id, params, (then) => (ended = then)));
      else if (id !== undefined && method !== undefined) send({ id, result: RESULTS[method] ?? {} });
    });
  });
}

const RESULTS = {
  initialize: { protocolVersion: 1, agentCapabilities: { loadSession: true }, authMethods: [] },
  "session/new": { sessionId: "s-1", modes: { currentModeId: "ask", availableModes: [] } },
};

function voiceOf(id, { sessionId, prompt }, onCancel) {
  const update = (fields, session = sessionId) =>
    send({ method: "session/update", params: { sessionId: session, update: fields } });
  const chunk = (text, kind = "agent_message_chunk") => ({ sessionUpdate: kind, content: { type: "text", text } });
  return {
    prompt: prompt.map(({ text }) => text).join("\n"),
    half: `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"resul`,
    noise: `${JSON.stringify({ jsonrpc: "2.0", method: "session/update", params: { sessionId, update: chunk("x".repeat(1000), "agent_thought_chunk") } })}\n`,
    say: (words) => update(chunk(words)),
    tool(output) {
      update({ sessionUpdate: "tool_call", toolCallId: "t-1", title: "cat it", kind: "read" });
      const content = [{ type: "content", content: { type: "text", text: output } }];
      update({ sessionUpdate: "tool_call_update", toolCallId: "t-1", status: "completed", content });
    },
    succeed(words, { elsewhere } = {}) {
      update(chunk(words), elsewhere ? "s-2" : sessionId);
      send({ id, result: END });
    },
    fail: (message) => send({ id, error: { code: -32603, message } }),
    throttle: () => update(chunk("Trying again. ", "agent_thought_chunk")),
    askedToEnd: onCancel,
    // It lives for as long as somebody may ask it more.
    finish: () => undefined,
  };
}
