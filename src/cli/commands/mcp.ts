import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { createMcpServer } from "../../surfaces/mcp/server.ts";
import type { Call } from "../call.ts";
import { readVersion } from "../program.ts";
import { createMcpPort } from "../runs/mcp-port.ts";

/** Serves the Model Context Protocol on standard input and output until the client closes it. */
export async function serveMcp(call: Call): Promise<number> {
  const port = await createMcpPort(call, readVersion());
  const closed = Promise.withResolvers<void>();
  process.stdin.once("end", () => closed.resolve());
  const served = serveStdio(() => createMcpServer(port));
  await closed.promise;
  await served.close();
  return 0;
}
