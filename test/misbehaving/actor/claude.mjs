import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { printEvents } from "./print.mjs";

const SESSION = "c16ee364-92e1-40f5-8188-c2215659e4b8";
const OTHER = "99999999-92e1-40f5-8188-c2215659e4b8";
const USAGE = { input_tokens: 200, cache_creation_input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 40 };

/** The lines of `claude -p --output-format stream-json`, asked by a whole text or by lines of its own kind. */
export async function openVoice() {
  const flags = process.argv.slice(2);
  const prompt = flags.includes("--input-format") ? await firstMessage() : await text(process.stdin);
  const common = { parent_tool_use_id: null, session_id: SESSION };
  printEvents({ type: "system", subtype: "init", session_id: SESSION, cwd: process.cwd() });
  const say = (words) =>
    printEvents({
      type: "assistant",
      message: { role: "assistant", content: [{ type: "text", text: words }] },
      ...common,
    });
  const result = (fields) =>
    printEvents({ type: "result", subtype: "success", is_error: false, session_id: SESSION, usage: USAGE, ...fields });
  return {
    prompt,
    half: '{"type":"result","subtype":"succ',
    noise: `${JSON.stringify({ type: "stream_event", text: "x".repeat(1000) })}\n`,
    say,
    tool: (output) => {
      const content = [{ type: "tool_result", tool_use_id: "toolu_1", content: output }];
      printEvents({ type: "user", message: { role: "user", content }, ...common });
    },
    succeed(words, { elsewhere } = {}) {
      say(words);
      result({ result: words, total_cost_usd: 0.0016, ...(elsewhere ? { session_id: OTHER } : {}) });
    },
    fail: (message) => result({ is_error: true, result: message }),
    throttle: () => {
      const retry = {
        attempt: 1,
        max_retries: 10,
        retry_delay_ms: 500,
        error_status: 401,
        error: "authentication_failed",
      };
      printEvents({ type: "system", subtype: "api_retry", session_id: SESSION, ...retry });
    },
    askedToEnd: (then) => process.on("SIGTERM", then),
    finish: () => process.stdin.destroy(),
  };
}

/** Its input stays open for more; requests about the conversation itself are answered at once. */
function firstMessage() {
  return new Promise((resolve) => {
    createInterface({ input: process.stdin }).on("line", (line) => {
      const { type, message, request_id } = JSON.parse(line);
      if (type === "control_request") {
        printEvents({ type: "control_response", response: { subtype: "success", request_id, response: {} } });
      }
      if (type !== "user") return;
      const { content } = message;
      resolve(typeof content === "string" ? content : content.map((block) => block.text ?? "").join("\n"));
    });
  });
}
