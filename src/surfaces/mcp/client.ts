import { CLIENT_CAPABILITIES_META_KEY, CLIENT_INFO_META_KEY, type Server } from "@modelcontextprotocol/server";
import { z } from "zod";

const Capabilities = z.object({
  elicitation: z.unknown().optional(),
  extensions: z.record(z.string(), z.unknown()).optional(),
});
/** What a client says with each request, since the protocol's revision of 2026-07-28. */
const Envelope = z.object({
  [CLIENT_CAPABILITIES_META_KEY]: Capabilities.optional(),
  [CLIENT_INFO_META_KEY]: z.object({ name: z.string() }).optional(),
});

export type ClientContext = { readonly mcpReq: { readonly envelope?: unknown } };

/** Undefined for a client of before. */
export function capabilitiesIn({ mcpReq }: ClientContext): z.infer<typeof Capabilities> | undefined {
  return Envelope.safeParse(mcpReq.envelope).data?.[CLIENT_CAPABILITIES_META_KEY];
}

/** As it calls itself, with the request or when it came. */
export function clientName(server: Server, { mcpReq }: ClientContext): string {
  const said = Envelope.safeParse(mcpReq.envelope).data?.[CLIENT_INFO_META_KEY]?.name;
  return said ?? server.getClientVersion()?.name ?? "a client";
}
