import { Readable, Writable } from "node:stream";
import * as acp from "@agentclientprotocol/sdk";
import { type AgentProcess, say as tell } from "../agent-process.ts";
import type { ConversationEnd } from "../client-main.ts";
import { clientFiles } from "./client-files.ts";
import type { ClientLine, ClientOrder } from "./client-line.ts";
import { rule } from "./permission.ts";

const say = (line: ClientLine) => tell(line);

/** One prompt, from the greeting to the reason why the agent stopped; `lost` when it has hung up before. */
export async function converse(
  order: ClientOrder,
  agent: AgentProcess,
  canceled: AbortSignal,
): Promise<ConversationEnd> {
  try {
    const { agent: peer } = connect(agent);
    const sessionId = await openSession(order, peer);
    say({ client: "session", id: sessionId });
    const cancel = () => void peer.notify(acp.methods.agent.session.cancel, { sessionId }).catch(() => undefined);
    canceled.addEventListener("abort", cancel, { once: true });
    if (canceled.aborted) return "over";
    say({ client: "prompting" });
    const prompt = [{ type: "text" as const, text: order.prompt }];
    const response = await peer.request<acp.PromptResponse>(acp.methods.agent.session.prompt, { sessionId, prompt });
    say({ client: "stopped", response: { ...response } });
    return "over";
  } catch (error) {
    if (!(error instanceof acp.RequestError)) return "lost";
    say({ client: "failed", code: error.code, message: error.message, data: error.data });
    return "over";
  }
}

function connect(agent: AgentProcess): acp.ClientConnection {
  const folder = process.cwd();
  const files = clientFiles(folder);
  return acp
    .client({ name: "signalbox" })
    .onRequest(acp.methods.client.session.requestPermission, ({ params }) => {
      const { response, refused } = rule(params, folder);
      if (refused !== undefined) say({ client: "refused", tool: params.toolCall.title ?? "a tool", why: refused });
      return response;
    })
    .onRequest(acp.methods.client.fs.readTextFile, ({ params }) => files.read(params))
    .onRequest(acp.methods.client.fs.writeTextFile, ({ params }) => files.write(params))
    .onNotification(acp.methods.client.session.update, () => undefined)
    .connect(acp.ndJsonStream(Writable.toWeb(agent.input), Readable.toWeb(agent.output)));
}

async function openSession(order: ClientOrder, peer: acp.ClientConnection["agent"]): Promise<string> {
  await peer.request(acp.methods.agent.initialize, {
    protocolVersion: acp.PROTOCOL_VERSION,
    clientInfo: { name: "signalbox", version: "0" },
    // Not offered: a program that is told so sends even files through here, and one of them then fails at every new
    // one. Answered all the same, because another asks without having been told.
    clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false },
  });
  if (order.auth !== undefined) await peer.request(acp.methods.agent.authenticate, { methodId: order.auth });
  const place = { cwd: process.cwd(), mcpServers: [] };
  const { sessionId } = order.session
    ? { sessionId: order.session.id }
    : await peer.request<acp.NewSessionResponse>(acp.methods.agent.session.new, place);
  if (order.session?.by === "load") await peer.request(acp.methods.agent.session.load, { sessionId, ...place });
  if (order.session?.by === "resume") await peer.request(acp.methods.agent.session.resume, { sessionId, ...place });
  const { mode, option } = order;
  if (mode !== undefined) await peer.request(acp.methods.agent.session.setMode, { sessionId, modeId: mode });
  if (option !== undefined) {
    const choice = { sessionId, configId: option.id, value: option.value };
    await peer.request(acp.methods.agent.session.setConfigOption, choice);
  }
  return sessionId;
}
