import { text } from "node:stream/consumers";
import { printEvents } from "./print.mjs";

const THREAD = "01a1e136-474f-77d2-84fb-5737328188b2";
const NO_NETWORK = "Reconnecting... 1/5 (stream disconnected before completion: waiting for network)";

/** The event lines of `codex exec --json`. */
export async function openVoice() {
  const prompt = await text(process.stdin);
  printEvents({ type: "thread.started", thread_id: THREAD }, { type: "turn.started" });
  const completed = (item) => printEvents({ type: "item.completed", item: { id: "item_0", ...item } });
  const say = (words) => completed({ type: "agent_message", text: words });
  return {
    prompt,
    half: '{"type":"turn.comple',
    noise: `${JSON.stringify({ type: "item.updated", item: { type: "reasoning", text: "x".repeat(1000) } })}\n`,
    say,
    tool: (output) =>
      completed({ type: "command_execution", command: "cat it", aggregated_output: output, exit_code: 0 }),
    succeed(words) {
      say(words);
      printEvents({ type: "turn.completed", usage: { input_tokens: 300, cached_input_tokens: 0, output_tokens: 60 } });
    },
    fail: (message) => printEvents({ type: "error", message }, { type: "turn.failed", error: { message } }),
    throttle: () => printEvents({ type: "error", message: NO_NETWORK }),
    askedToEnd: (then) => process.on("SIGTERM", then),
    finish: () => undefined,
  };
}
