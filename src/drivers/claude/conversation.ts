import { setTimeout as wait } from "node:timers/promises";
import { type AgentCommand, type AgentProcess, say } from "../agent-process.ts";
import type { ConversationEnd } from "../client-main.ts";
import { type Control, controlsIn, INTERRUPT, noAnswer, toolAnswer, userMessage } from "./control.ts";
import { refusalOf } from "./permission.ts";

/** What the client is told, as JSON on its standard input. */
export type ClaudeOrder = AgentCommand & {
  readonly prompt: string;
  /** How long it may stay after its result. */
  readonly lingerMs: number;
};

/**
 * One prompt, answers to what Claude Code asks meanwhile, and a closed line after its result. Then it leaves by itself,
 * and its own end is the end of the turn; what does not leave has said its last word all the same.
 */
export async function converse(
  order: ClaudeOrder,
  agent: AgentProcess,
  canceled: AbortSignal,
): Promise<ConversationEnd> {
  const send = (message: unknown) => {
    if (agent.input.writable) agent.input.write(`${JSON.stringify(message)}\n`);
  };
  canceled.addEventListener("abort", () => send(INTERRUPT), { once: true });
  if (canceled.aborted) return "over";
  send(userMessage(order.prompt));
  const lastWord = new AbortController();
  const lingered = new Promise<ConversationEnd>((over) => {
    lastWord.signal.addEventListener("abort", () => void wait(order.lingerMs).then(() => over("over")));
  });
  const heard = listen(agent, (control) => {
    if (control.kind === "asked") send(noAnswer(control.id));
    if (control.kind === "tool wanted") {
      const refused = refusalOf(control.request, process.cwd());
      if (refused !== undefined) say({ client: "refused", tool: control.request.tool_name, why: refused });
      send(toolAnswer(control.id, control.request, refused));
    }
    if (control.kind !== "last word") return;
    agent.input.end();
    lastWord.abort();
  });
  const hungUp = heard.then(() => (lastWord.signal.aborted ? lingered : "lost"));
  return Promise.race([hungUp, lingered]);
}

async function listen(agent: AgentProcess, hear: (control: Control) => void): Promise<void> {
  // Each chunk holds whole lines.
  for await (const chunk of agent.output) for (const control of controlsIn(chunk)) hear(control);
}
