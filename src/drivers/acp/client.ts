import { readFileSync } from "node:fs";
import { attend } from "../client-main.ts";
import type { ClientOrder } from "./client-line.ts";

// The program that speaks the Agent Client Protocol with one agent. Its order was written by the driver alone.
const order = JSON.parse(readFileSync(0, "utf8")) as ClientOrder;

await attend(order, async (agent, canceled) => {
  // The agent starts while the protocol is loaded.
  const { converse } = await import("./conversation.ts");
  return converse(order, agent, canceled);
});
