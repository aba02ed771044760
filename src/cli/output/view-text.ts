import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Call } from "../call.ts";

/** Shows a long text in `$PAGER`, or `less` where none is named; without either all of it is printed. */
export async function openInPager(call: Call, text: string): Promise<void> {
  const shown = await opened(process.env["PAGER"] || "less", text);
  if (!shown) for (const line of text.split("\n")) call.print(line);
}

/** A copy in `$EDITOR`: what is changed in it is not taken. */
export async function openInEditor(call: Call, text: string): Promise<void> {
  const shown = await opened(process.env["EDITOR"] || process.env["VISUAL"] || "vi", text);
  if (!shown) for (const line of text.split("\n")) call.print(line);
}

const NOT_FOUND = 127;

/** The user's own line, as git takes it: a program with its flags. The event loop goes on: a run is being driven. */
async function opened(program: string, text: string): Promise<boolean> {
  const folder = await mkdtemp(join(tmpdir(), "signalbox-view-"));
  const resume = ignoreInterrupts();
  try {
    const file = join(folder, "question.md");
    await writeFile(file, `${text}\n`, { mode: 0o600 });
    const child = spawn("/bin/sh", ["-c", `${program} "$1"`, "sh", file], { stdio: "inherit" });
    const exit = await new Promise<number | null>((ended) => {
      child.once("error", () => ended(NOT_FOUND));
      child.once("exit", ended);
    });
    return exit !== NOT_FOUND;
  } finally {
    resume();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Ctrl-C in a pager is for the pager; the run must not be stopped by it. */
function ignoreInterrupts(): () => void {
  const listeners = process.listeners("SIGINT");
  const ignore = (): void => {};
  process.removeAllListeners("SIGINT").on("SIGINT", ignore);
  return () => {
    process.off("SIGINT", ignore);
    for (const listener of listeners) process.on("SIGINT", listener);
  };
}
