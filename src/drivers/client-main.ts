import { setTimeout as wait } from "node:timers/promises";
import { type AgentCommand, type AgentEnd, type AgentProcess, startAgent } from "./agent-process.ts";

/** `over` when nothing more is to come, `lost` when the agent has hung up before. */
export type ConversationEnd = "over" | "lost";

export type Converse = (agent: AgentProcess, canceled: AbortSignal) => Promise<ConversationEnd>;

/**
 * The whole life of a client: a program that speaks with one agent, in the agent's own protocol, for one turn. It is a
 * process of its own, and not the engine, so that the turn goes on and is recorded when the engine dies, and so that
 * both are in one sandbox. Being asked to stop, it cancels the turn in the protocol first.
 */
export async function attend(command: AgentCommand, converse: Converse): Promise<never> {
  // Meant for this program alone, not for the agent.
  delete process.env["NODE_COMPILE_CACHE"];
  const agent = startAgent(command);
  const canceled = new AbortController();
  process.once("SIGTERM", () => canceled.abort());
  const lost = agent.ended.then(() => "lost" as const);
  const talk = await Promise.race([converse(agent, canceled.signal), lost, givenUp(canceled.signal)]);
  // A turn that is over is over, however the agent then leaves. One that hung up in the middle gives us its own end.
  const end = talk === "lost" ? await Promise.race([agent.ended, stillThere()]) : undefined;
  await agent.end();
  if (end?.signal) process.kill(process.pid, end.signal);
  process.exit(end === undefined ? 0 : (end.code ?? 1));
}

/** How long an agent may take to stop in its own way. */
const CANCEL_MS = 1_000;

async function givenUp(canceled: AbortSignal): Promise<"given up"> {
  await new Promise((abort) => canceled.addEventListener("abort", abort, { once: true }));
  await wait(CANCEL_MS);
  return "given up";
}

/** It hung up and stays: nothing that it could still say would be heard. */
async function stillThere(): Promise<AgentEnd> {
  await wait(CANCEL_MS);
  process.stderr.write("The agent has closed its output and does not leave.\n");
  return { code: 1, signal: null };
}
