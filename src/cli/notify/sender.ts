import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { RepositoryPlaces } from "../project/repository.ts";
import { hasOutbox, openRepositoryOutbox } from "./repository-outbox.ts";

const BIN = fileURLToPath(new URL("../../../bin/signalbox.js", import.meta.url));

/**
 * Starts a separate process that sends notices, so that a slow receiver never delays a run or a command. It exits when
 * its queue is empty.
 */
export function startSender({ top }: Pick<RepositoryPlaces, "top">, { trusted = false } = {}): void {
  const child = spawn(process.execPath, [BIN, "-C", top, "__notices"], {
    detached: true,
    stdio: "ignore",
    cwd: top,
    // Lets Node use the proxy from the usual environment variables.
    env: { ...process.env, NODE_USE_ENV_PROXY: "1", ...(trusted ? { SIGNALBOX_TRUST: "1" } : {}) },
  });
  child.on("error", () => undefined);
  child.unref();
}

/** Sends notices that a terminated engine left. Called by commands that show runs. */
export function sendAbandoned(places: RepositoryPlaces): void {
  try {
    if (!hasOutbox(places)) return;
    const outbox = openRepositoryOutbox(places);
    try {
      const due = outbox.open().some(({ held, dueAt }) => !held && dueAt <= Date.now());
      if ((due || outbox.abandoned().length > 0) && !outbox.hasSender()) startSender(places);
    } finally {
      outbox.close();
    }
  } catch {
    // Showing runs must not fail because of notifications.
  }
}
