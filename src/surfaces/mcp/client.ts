import { CLIENT_CAPABILITIES_META_KEY, CLIENT_INFO_META_KEY, type Server } from "@modelcontextprotocol/server";
import { z } from "zod";

const Capabilities = z.object({
  elicitation: z.unknown().optional(),
  extensions: z.record(z.string(), z.unknown()).optional(),
});
/** Metadata that a client sends with each request since protocol revision 2026-07-28. */
const Envelope = z.object({
  [CLIENT_CAPABILITIES_META_KEY]: Capabilities.optional(),
  [CLIENT_INFO_META_KEY]: z.object({ name: z.string() }).optional(),
});

export type ClientContext = { readonly mcpReq: { readonly envelope?: unknown } };

/** Returns undefined for a client of an earlier revision. */
export function getRequestCapabilities({ mcpReq }: ClientContext): z.infer<typeof Capabilities> | undefined {
  return Envelope.safeParse(mcpReq.envelope).data?.[CLIENT_CAPABILITIES_META_KEY];
}

/** Returns the client's name from the request or, for earlier revisions, from its initialization. */
export function getClientName(server: Server, { mcpReq }: ClientContext): string {
  const name = Envelope.safeParse(mcpReq.envelope).data?.[CLIENT_INFO_META_KEY]?.name;
  return name ?? server.getClientVersion()?.name ?? "a client";
}
