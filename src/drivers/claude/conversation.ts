import { setTimeout as wait } from "node:timers/promises";
import { type AgentCommand, type AgentProcess, printLine } from "../agent-process.ts";
import type { ConversationEnd } from "../client-main.ts";
import {
  type ControlMessage,
  createErrorAnswer,
  createToolAnswer,
  createUserMessage,
  INTERRUPT,
  parseControls,
} from "./control.ts";
import { findRefusal } from "./permission.ts";

/** The input of the client, as JSON on standard input. */
export type ClaudeOrder = AgentCommand & {
  readonly prompt: string;
  /** How long the process may run after its result. */
  readonly lingerMs: number;
};

/**
 * Sends one prompt, answers Claude Code's requests and closes its input after the result. The turn ends when the
 * process exits, or after `lingerMs`.
 */
export async function runConversation(
  order: ClaudeOrder,
  agent: AgentProcess,
  canceled: AbortSignal,
): Promise<ConversationEnd> {
  const send = (message: unknown) => {
    if (agent.input.writable) agent.input.write(`${JSON.stringify(message)}\n`);
  };
  canceled.addEventListener("abort", () => send(INTERRUPT), { once: true });
  if (canceled.aborted) return "over";
  send(createUserMessage(order.prompt));
  const lastWord = new AbortController();
  const lingered = new Promise<ConversationEnd>((over) => {
    lastWord.signal.addEventListener("abort", () => void wait(order.lingerMs).then(() => over("over")));
  });
  const reading = readControls(agent, (control) => {
    if (control.kind === "asked") send(createErrorAnswer(control.id));
    if (control.kind === "tool wanted") {
      const refused = findRefusal(control.request, process.cwd());
      if (refused !== undefined) printLine({ client: "refused", tool: control.request.tool_name, why: refused });
      send(createToolAnswer(control.id, control.request, refused));
    }
    if (control.kind !== "last word") return;
    agent.input.end();
    lastWord.abort();
  });
  const hungUp = reading.then(() => (lastWord.signal.aborted ? lingered : "lost"));
  return Promise.race([hungUp, lingered]);
}

async function readControls(agent: AgentProcess, handleControl: (control: ControlMessage) => void): Promise<void> {
  // Each chunk contains complete lines.
  for await (const chunk of agent.output) for (const control of parseControls(chunk)) handleControl(control);
}
