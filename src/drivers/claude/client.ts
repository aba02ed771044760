import { readFileSync } from "node:fs";
import { attend } from "../client-main.ts";
import type { ClaudeOrder } from "./conversation.ts";

// The program that speaks with Claude Code in both directions. Its order was written by the driver alone.
const order = JSON.parse(readFileSync(0, "utf8")) as ClaudeOrder;

await attend(order, async (agent, canceled) => {
  // The agent starts while the protocol is loaded.
  const { converse } = await import("./conversation.ts");
  return converse(order, agent, canceled);
});
