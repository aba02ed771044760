import { type AgentProcess, printLine as tell } from "../agent-process.ts";
import type { ConversationEnd } from "../client-main.ts";
import { createClientFiles } from "./client-files.ts";
import type { ClientLine, ClientOrder } from "./client-line.ts";
import { createPeer, type Peer, PeerError } from "./peer.ts";
import { decidePermission } from "./permission.ts";

const writeLine = (line: ClientLine) => tell(line);

/**
 * Performs one prompt, from `initialize` to the stop reason. Returns `lost` if the agent closed the connection before.
 */
export async function runConversation(
  order: ClientOrder,
  agent: AgentProcess,
  canceled: AbortSignal,
): Promise<ConversationEnd> {
  try {
    const peer = connectPeer(agent);
    const sessionId = await openSession(order, peer);
    writeLine({ client: "session", id: sessionId });
    canceled.addEventListener("abort", () => peer.notify("session/cancel", { sessionId }), { once: true });
    if (canceled.aborted) return "over";
    writeLine({ client: "prompting" });
    const prompt = [{ type: "text" as const, text: order.prompt }];
    const response = await peer.request("session/prompt", { sessionId, prompt });
    writeLine({ client: "stopped", response: { ...response, stopReason: requireField(response, "stopReason") } });
    return "over";
  } catch (error) {
    if (!(error instanceof PeerError)) return "lost";
    writeLine({ client: "failed", code: error.code, message: error.message, data: error.data });
    return "over";
  }
}

function connectPeer(agent: AgentProcess): Peer {
  const folder = process.cwd();
  const files = createClientFiles(folder);
  return createPeer(agent, {
    "session/request_permission": (params) => {
      const { response, tool, refused } = decidePermission(params, folder);
      if (refused !== undefined) writeLine({ client: "refused", tool, why: refused });
      return response;
    },
    "fs/read_text_file": files.read,
    "fs/write_text_file": files.write,
  });
}

const PROTOCOL_VERSION = 1;

async function openSession(order: ClientOrder, peer: Peer): Promise<string> {
  await peer.request("initialize", {
    protocolVersion: PROTOCOL_VERSION,
    clientInfo: { name: "signalbox", version: "0" },
    // Not offered, because programs that know of it send every file through the client, and one of them then fails for
    // new files. Still handled, because one program asks without the capability.
    clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false },
  });
  if (order.auth !== undefined) await peer.request("authenticate", { methodId: order.auth });
  const place = { cwd: process.cwd(), mcpServers: [] };
  const sessionId = order.session?.id ?? requireField(await peer.request("session/new", place), "sessionId");
  if (order.session) await peer.request(`session/${order.session.by}`, { sessionId, ...place });
  const { mode, option } = order;
  if (mode !== undefined) await peer.request("session/set_mode", { sessionId, modeId: mode });
  if (option !== undefined) {
    const choice = { sessionId, configId: option.id, value: option.value };
    await peer.request("session/set_config_option", choice);
  }
  return sessionId;
}

function requireField(answer: Readonly<Record<string, unknown>>, name: string): string {
  const text = answer[name];
  if (typeof text === "string") return text;
  throw new PeerError(-32603, `the agent's answer has no ${name}`, answer);
}
