import { setTimeout as wait } from "node:timers/promises";
import { type AgentCommand, type AgentEnd, type AgentProcess, startAgent } from "./agent-process.ts";

/** `over` when the turn is complete, `lost` when the agent closed the connection before. */
export type ConversationEnd = "over" | "lost";

export type RunConversation = (agent: AgentProcess, canceled: AbortSignal) => Promise<ConversationEnd>;

/**
 * Runs a client: a program that speaks with one agent for one turn, in the agent's protocol. It is a separate process,
 * so that the turn continues and is recorded if the engine dies, and so that client and agent share one sandbox. On
 * SIGTERM it first cancels the turn in the protocol.
 */
export async function runClient(command: AgentCommand, runConversation: RunConversation): Promise<never> {
  // Meant for this program only; the agent must not inherit it.
  delete process.env["NODE_COMPILE_CACHE"];
  const agent = startAgent(command);
  const canceled = new AbortController();
  process.once("SIGTERM", () => canceled.abort());
  const lost = agent.ended.then(() => "lost" as const);
  const talk = await Promise.race([runConversation(agent, canceled.signal), lost, awaitCancelGrace(canceled.signal)]);
  // The exit code of the agent counts only if it closed the connection before the turn was complete.
  const end = talk === "lost" ? await Promise.race([agent.ended, awaitExitGrace()]) : undefined;
  await agent.end();
  if (end?.signal) process.kill(process.pid, end.signal);
  process.exit(end === undefined ? 0 : (end.code ?? 1));
}

/** How long an agent may take to cancel its turn. */
const CANCEL_MS = 1_000;

async function awaitCancelGrace(canceled: AbortSignal): Promise<"given up"> {
  await new Promise((abort) => canceled.addEventListener("abort", abort, { once: true }));
  await wait(CANCEL_MS);
  return "given up";
}

/** The agent closed its output but still runs; nothing more can be read from it. */
async function awaitExitGrace(): Promise<AgentEnd> {
  await wait(CANCEL_MS);
  process.stderr.write("The agent closed its output but did not exit.\n");
  return { code: 1, signal: null };
}
