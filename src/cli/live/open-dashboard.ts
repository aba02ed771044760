import type { Call } from "../call.ts";
import { canOpen, openLink } from "../serve/open-link.ts";
import { findRunningServer } from "../serve/server-file.ts";

/** Prints the link to a running dashboard and opens it if there is a browser. */
export async function openDashboardPage(call: Call): Promise<string | undefined> {
  const running = await findRunningServer();
  const code = await running?.code();
  if (!running || !code) return "the dashboard is not running: start `signalbox ui` in another terminal";
  const link = `http://127.0.0.1:${running.port}/#code=${code}`;
  call.verbatim(`  ${call.paint.cyan(link)}`);
  if (canOpen(process, call.terminal)) await openLink(link);
  return "the link works once and expires in five minutes";
}
