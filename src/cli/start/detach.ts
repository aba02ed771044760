import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, mkdirSync, openSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { SignalboxError } from "../core/errors.ts";
import type { App } from "./app.ts";
import type { Call } from "./call.ts";

const BIN = fileURLToPath(new URL("../../bin/signalbox.js", import.meta.url));
const PATIENCE_MS = 20_000;

/** Hands a run that was just recorded to an engine of its own, which outlives this process and its terminal. */
export async function detach(call: Call, app: App, run: string): Promise<number> {
  const { places } = app.project;
  const folder = join(places.runs, run);
  mkdirSync(folder, { recursive: true });
  const log = join(folder, "engine.log");
  const child = startEngine(places.top, run, log);
  await taken(app, { run, child, log });
  child.unref();
  const shown = relative(process.cwd(), log);
  if (call.json) call.emit({ v: 1, run, detached: true, pid: child.pid ?? null, log });
  else {
    call.print(`${call.paint.green("✓")} ${call.paint.bold(run)} goes on by itself (pid ${child.pid})`);
    call.print(`  follow: ${call.paint.cyan(`signalbox events ${run} --follow`)}`);
    call.print(
      `  answer: ${call.paint.cyan("signalbox inbox")}    end it: ${call.paint.cyan(`signalbox cancel ${run}`)}`,
    );
    call.print(call.paint.dim(`  what its engine says: ${shown.startsWith("..") ? log : shown}`));
  }
  return 0;
}

/** A session of its own: no terminal that could hang it up, and no Ctrl-C that reaches it. */
export function startEngine(top: string, run: string, log: string): ChildProcess {
  const out = openSync(log, "a", 0o600);
  try {
    return spawn(process.execPath, [BIN, "-C", top, "resume", run], {
      detached: true,
      stdio: ["ignore", out, out],
      cwd: top,
    });
  } finally {
    closeSync(out);
  }
}

type Watched = { readonly run: string; readonly child: ChildProcess; readonly log: string };

/** Only a recorded takeover says that the run is in good hands. */
async function taken({ host }: App, { run, child, log }: Watched): Promise<void> {
  const over = new AbortController();
  const late = setTimeout(() => over.abort(), PATIENCE_MS);
  child.once("exit", () => over.abort());
  child.once("error", () => over.abort());
  try {
    for await (const record of host.journal.follow(run, 0, over.signal)) {
      if (record.type === "engine.started") return;
    }
    // It may have come and gone between two looks.
    if ((await host.journal.load(run)).some((record) => record.type === "engine.started")) return;
    const said = (await readFile(log, "utf8").catch(() => "")).trim().split("\n").slice(-3).join(" ");
    throw new SignalboxError(
      "INTERNAL",
      `The engine of the run ${run} did not start${said ? `: ${said}` : ""}.`,
      `See ${log}, then try \`signalbox resume ${run}\`.`,
    );
  } finally {
    clearTimeout(late);
    over.abort();
  }
}
