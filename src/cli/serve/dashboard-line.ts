import { findRunningServer } from "./server-file.ts";

/**
 * Formats the dashboard address of a run: its URL if a server is running, which contains no secret, else the command
 * that starts one.
 */
export async function formatDashboardLine(run: string): Promise<string> {
  const server = await findRunningServer();
  return `dashboard: ${server ? `http://127.0.0.1:${server.port}/runs/${run}` : "signalbox ui"}`;
}
