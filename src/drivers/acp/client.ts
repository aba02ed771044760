import { readFileSync } from "node:fs";
import { runClient } from "../client-main.ts";
import type { ClientOrder } from "./client-line.ts";

// Client program that speaks the Agent Client Protocol with one agent. Only the driver writes its order.
const order = JSON.parse(readFileSync(0, "utf8")) as ClientOrder;

await runClient(order, async (agent, canceled) => {
  // The agent starts while this module loads.
  const { runConversation } = await import("./conversation.ts");
  return runConversation(order, agent, canceled);
});
