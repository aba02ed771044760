import { spawn } from "node:child_process";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { serverFolder } from "./token.ts";

/** Long enough for a browser that has to start first. */
const KEPT_MS = 30_000;

/** A person sits here, and there is something to show a page on. */
export function canOpen({ env, platform }: Pick<NodeJS.Process, "env" | "platform">, terminal: boolean): boolean {
  if (!terminal) return false;
  return platform === "darwin" || Boolean(env["DISPLAY"] || env["WAYLAND_DISPLAY"]);
}

/**
 * Through a file that only this user can read: what a program is started with can be seen by everybody on the machine,
 * and whoever uses the code first has the token.
 */
export async function openLink(link: string): Promise<void> {
  const file = join(serverFolder(), `open-${process.pid}.html`);
  const page = `<!doctype html><meta charset="utf-8"><meta name="referrer" content="no-referrer"><meta http-equiv="refresh" content="0;url=${link}">\n`;
  await writeFile(file, page, { mode: 0o600 });
  const program = process.platform === "darwin" ? "open" : "xdg-open";
  const child = spawn(program, [pathToFileURL(file).href], { stdio: "ignore", detached: true });
  // The link was printed too: where nothing opens it, a person does.
  child.on("error", () => undefined);
  child.unref();
  setTimeout(() => void rm(file, { force: true }), KEPT_MS).unref();
}
