import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { RepositoryPlaces } from "../project/repository.ts";
import { hasOutbox, outboxHere } from "./outbox-here.ts";

const BIN = fileURLToPath(new URL("../../../bin/signalbox.js", import.meta.url));

/** A process of its own sends: no receiver, however slow, holds up a run or a command, and none outlives its letters. */
export function startSender({ top }: Pick<RepositoryPlaces, "top">, { trusted = false } = {}): void {
  const child = spawn(process.execPath, [BIN, "-C", top, "__notices"], {
    detached: true,
    stdio: "ignore",
    cwd: top,
    // Where the way out leads over a proxy, the shell says so in the usual variables.
    env: { ...process.env, NODE_USE_ENV_PROXY: "1", ...(trusted ? { SIGNALBOX_TRUST: "1" } : {}) },
  });
  child.on("error", () => undefined);
  child.unref();
}

/** What an engine that is gone has left is sent by whoever looks next. */
export function sendWhatWasLeft(places: RepositoryPlaces): void {
  try {
    if (!hasOutbox(places)) return;
    const outbox = outboxHere(places);
    try {
      const due = outbox.open().some(({ held, dueAt }) => !held && dueAt <= Date.now());
      if ((due || outbox.abandoned().length > 0) && !outbox.hasSender()) startSender(places);
    } finally {
      outbox.close();
    }
  } catch {
    // To look at runs needs nobody who can be told of them.
  }
}
