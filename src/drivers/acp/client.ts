import { readFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { type AgentEnd, startAgent } from "./agent-process.ts";
import type { ClientOrder } from "./client-line.ts";

// The program that speaks the Agent Client Protocol with one agent, for one turn. A process of its own, and not the
// engine, so that the agent's turn goes on and is recorded when the engine dies, and so that both are in one sandbox.

// Meant for this program alone, not for the agent.
delete process.env["NODE_COMPILE_CACHE"];

/** How long an agent may take to stop in its own way. */
const CANCEL_MS = 1_000;

// Written by the driver and by nobody else.
const order = JSON.parse(readFileSync(0, "utf8")) as ClientOrder;
// The agent starts while the protocol is loaded.
const agent = startAgent(order);
const canceled = new AbortController();
process.once("SIGTERM", () => canceled.abort());

const { converse } = await import("./conversation.ts");
const talk = await Promise.race([converse(order, agent, canceled.signal), agent.ended.then(() => "lost"), givenUp()]);

// A turn that is over is over, however the agent then leaves. One that hung up in the middle gives us its own end.
const end = talk === "lost" ? await Promise.race([agent.ended, stillThere()]) : undefined;
await agent.end();
if (end?.signal) process.kill(process.pid, end.signal);
process.exit(end === undefined ? 0 : (end.code ?? 1));

async function givenUp(): Promise<"given up"> {
  await new Promise((abort) => canceled.signal.addEventListener("abort", abort, { once: true }));
  await wait(CANCEL_MS);
  return "given up";
}

/** It hung up and stays: nothing that it could still say would be heard. */
async function stillThere(): Promise<AgentEnd> {
  await wait(CANCEL_MS);
  process.stderr.write("The agent has closed its output and does not leave.\n");
  return { code: 1, signal: null };
}
