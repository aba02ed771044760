import { readFileSync } from "node:fs";
import { runClient } from "../client-main.ts";
import type { ClaudeOrder } from "./conversation.ts";

// Client program that exchanges JSON lines with Claude Code. Only the driver writes its order.
const order = JSON.parse(readFileSync(0, "utf8")) as ClaudeOrder;

await runClient(order, async (agent, canceled) => {
  // The agent starts while this module loads.
  const { runConversation } = await import("./conversation.ts");
  return runConversation(order, agent, canceled);
});
