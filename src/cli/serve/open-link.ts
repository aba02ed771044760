import { spawn } from "node:child_process";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { getServerFolder } from "./token.ts";

/** Allows for the time that a browser needs to start. */
const KEPT_MS = 30_000;

/** Returns true if there is a terminal and a graphical display. */
export function canOpen({ env, platform }: Pick<NodeJS.Process, "env" | "platform">, terminal: boolean): boolean {
  if (!terminal) return false;
  return platform === "darwin" || Boolean(env["DISPLAY"] || env["WAYLAND_DISPLAY"]);
}

/**
 * Opens the link through a file that only this user can read. Arguments of a process are visible to every user, and the
 * first one to use the code gets the token.
 */
export async function openLink(link: string): Promise<void> {
  const file = join(getServerFolder(), `open-${process.pid}.html`);
  const page = `<!doctype html><meta charset="utf-8"><meta name="referrer" content="no-referrer"><meta http-equiv="refresh" content="0;url=${link}">\n`;
  await writeFile(file, page, { mode: 0o600 });
  const program = process.platform === "darwin" ? "open" : "xdg-open";
  const child = spawn(program, [pathToFileURL(file).href], { stdio: "ignore", detached: true });
  // The link was printed as well and can be opened by hand.
  child.on("error", () => undefined);
  child.unref();
  setTimeout(() => void rm(file, { force: true }), KEPT_MS).unref();
}
