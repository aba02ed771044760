import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Call } from "../call.ts";

/** Text with the file name that pagers and editors show. */
export type NamedText = { readonly name: string; readonly text: string };

/** Shows a long text in `$PAGER` or `less`. Prints it if neither can be started. */
export async function openInPager(call: Call, { name, text }: NamedText): Promise<void> {
  const shown = await openInProgram(process.env["PAGER"] || "less", { name, text });
  if (!shown) for (const line of text.split("\n")) call.print(line);
}

/** Opens a copy in `$EDITOR`. Edits are discarded. */
export async function openInEditor(call: Call, { name, text }: NamedText): Promise<void> {
  const shown = await openInProgram(process.env["EDITOR"] || process.env["VISUAL"] || "vi", { name, text });
  if (!shown) for (const line of text.split("\n")) call.print(line);
}

const NOT_FOUND = 127;

/** Runs the user's command line through a shell, as git does. Asynchronous, because a run may be active meanwhile. */
async function openInProgram(program: string, { name, text }: NamedText): Promise<boolean> {
  const folder = await mkdtemp(join(tmpdir(), "signalbox-view-"));
  const resume = ignoreInterrupts();
  try {
    const file = join(folder, `${name}.md`);
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

/** Gives Ctrl-C to the pager: the run must not be stopped by it. */
function ignoreInterrupts(): () => void {
  const listeners = process.listeners("SIGINT");
  const ignore = (): void => {};
  process.removeAllListeners("SIGINT").on("SIGINT", ignore);
  return () => {
    process.off("SIGINT", ignore);
    for (const listener of listeners) process.on("SIGINT", listener);
  };
}
