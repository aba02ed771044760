import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { SignalboxError } from "../../core/failure/errors.ts";
import { type ListeningServer, listen } from "../../surfaces/server/listen.ts";
import { createSession, type Session } from "../../surfaces/server/session.ts";
import type { Call } from "../call.ts";
import { warnLackingTargets } from "../notify/lacking-targets.ts";
import { collectTargets, type Target } from "../notify/targets.ts";
import { readVersion } from "../program.ts";
import { loadConfigLayers } from "../project/config-sources.ts";
import { noteRepository } from "../project/known-repositories.ts";
import { resolvePlaces } from "../project/repository.ts";
import { createRealWorld } from "../real-world.ts";
import { canOpen, openLink } from "../serve/open-link.ts";
import { findRunningServer, forgetServer, noteServer } from "../serve/server-file.ts";
import { createServerPort } from "../serve/server-port.ts";
import { getServerToken } from "../serve/token.ts";

/** `open` is false for `--no-open`. */
export type UiFlags = { readonly port?: string; readonly open?: boolean };

const FIRST_PORT = 4317;
const PORTS = 20;
/** Time that requests in progress have to finish when the server is stopped. */
const STOP_TIMEOUT_MS = 2_000;
const WEB = fileURLToPath(new URL("../../../dist/web", import.meta.url));

/** Prints a link to the dashboard. Serves it until Ctrl-C unless another process already does. */
export async function openDashboard(call: Call, flags: UiFlags): Promise<number> {
  const ports = parsePorts(flags.port);
  await registerRepository(call.dir);
  const running = await findRunningServer();
  const code = running && (flags.port === undefined || Number(flags.port) === running.port) && (await running.code());
  if (running && code) {
    await printLink(call, flags, { port: running.port, pid: running.pid, code, started: false });
    return 0;
  }
  return serveDashboard(call, flags, ports);
}

async function serveDashboard(call: Call, flags: UiFlags, ports: readonly number[]): Promise<number> {
  const world = createRealWorld();
  const logFailure = (error: unknown) => process.stderr.write(`${world.redact(formatFailure(error))}\n`);
  const port = createServerPort({ world, version: readVersion(), failed: logFailure });
  const session = createSession({ token: await getServerToken(), now: world.now });
  const server = await listen({ port, session, web: WEB, ports });
  if (!server) throw toPortTakenError(ports);
  await noteServer(server.port);
  try {
    await printLink(call, flags, { port: server.port, pid: process.pid, code: session.newCode(), started: true });
    warnLackingTargets(call, await readTargets(call.dir));
    await waitForStop(call, server, session);
    return 0;
  } finally {
    await forgetServer();
    await server.close();
    await port.close();
  }
}

/** Runs of a repository that was never registered would not be found. */
async function registerRepository(dir: string): Promise<void> {
  const places = await resolvePlaces(dir).catch(() => undefined);
  if (places) await noteRepository(places.top, createRealWorld());
}

/**
 * Runs started from the dashboard inherit this process's environment. A broken configuration file is reported where it
 * is used.
 */
async function readTargets(dir: string): Promise<readonly Target[]> {
  try {
    return collectTargets(await loadConfigLayers(await resolvePlaces(dir)));
  } catch {
    return [];
  }
}

type DashboardLink = { readonly port: number; readonly pid: number; readonly code: string; readonly started: boolean };

async function printLink(call: Call, flags: UiFlags, { port, pid, code, started }: DashboardLink): Promise<void> {
  const link = formatLink(port, code);
  if (call.json) {
    call.emit({ v: 1, type: "ui", url: link, port, pid, started });
    return;
  }
  call.print(
    started ? "Serving the dashboard on this machine only." : `The dashboard is already served by process ${pid}.`,
  );
  // Printed unwrapped so that the link stays in one piece.
  call.verbatim(`  ${call.paint.cyan(link)}`);
  call.print(call.paint.dim("  The link works once and expires in five minutes."));
  if (started)
    call.print(
      call.paint.dim(`  ${call.terminal ? "Press Enter for a new link. " : ""}Press Ctrl-C to stop the server.`),
    );
  if (flags.open !== false && canOpen(process, call.terminal)) await openLink(link);
}

function formatLink(port: number, code: string): string {
  return `http://127.0.0.1:${port}/#code=${code}`;
}

/** Waits for a signal. Each line entered meanwhile prints another link. */
async function waitForStop(call: Call, { port }: ListeningServer, session: Session): Promise<void> {
  const over = Promise.withResolvers<void>();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => over.resolve());
  const lines = call.terminal ? createInterface({ input: process.stdin }) : undefined;
  lines?.on("line", () => call.verbatim(`  ${call.paint.cyan(formatLink(port, session.newCode()))}`));
  lines?.once("SIGINT", () => over.resolve());
  await over.promise;
  setTimeout(() => process.exit(0), STOP_TIMEOUT_MS).unref();
  lines?.close();
}

function parsePorts(portText: string | undefined): readonly number[] {
  if (portText === undefined) return Array.from({ length: PORTS }, (_, at) => FIRST_PORT + at);
  if (/^\d{1,5}$/.test(portText) && Number(portText) <= 65_535) return [Number(portText)];
  throw new SignalboxError(
    "USAGE",
    `--port ${portText} is not a port number.`,
    "Pass a number up to 65535, or 0 for any free port.",
  );
}

function toPortTakenError(ports: readonly number[]): SignalboxError {
  const [first, last] = [ports[0], ports.at(-1)];
  return new SignalboxError(
    "PORT_TAKEN",
    first === last ? `Port ${first} is in use.` : `All ports from ${first} to ${last} are in use.`,
    "Choose another with --port, or use --port 0 for any free port.",
  );
}

function formatFailure(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
