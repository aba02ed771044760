import { runningServer } from "./server-file.ts";

/** How a run is looked at in a browser: where it is served already, its own address there, which holds no secret. */
export async function dashboardLine(run: string): Promise<string> {
  const server = await runningServer();
  return `dashboard: ${server ? `http://127.0.0.1:${server.port}/runs/${run}` : "signalbox ui"}`;
}
