import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, mkdirSync, openSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { SignalboxError } from "../../core/failure/errors.ts";
import { createRunOwnedError } from "../../engine/drive/drive.ts";
import type { App } from "../app.ts";
import type { Call } from "../call.ts";
import { warnLackingTargets } from "../notify/lacking-targets.ts";
import type { RepositoryPlaces } from "../project/repository.ts";
import { formatDashboardLine } from "../serve/dashboard-line.ts";

const BIN = fileURLToPath(new URL("../../../bin/signalbox.js", import.meta.url));
const PATIENCE_MS = 20_000;

type DetachInputs = Pick<App, "host" | "targets" | "world"> & { readonly project: Pick<App["project"], "places"> };

/** Hands the run to a detached engine, which outlives this process and its terminal and waits for answers. */
export async function detach(
  call: Call,
  app: DetachInputs,
  { run, flags = [] }: { readonly run: string; readonly flags?: readonly string[] },
): Promise<number> {
  const { places } = app.project;
  await refuseOwned(app, run);
  const folder = join(places.runs, run);
  mkdirSync(folder, { recursive: true });
  const log = join(folder, "engine.log");
  const after = (await app.host.journal.load(run)).at(-1)?.seq ?? 0;
  const child = startEngine({ top: places.top, run, log, flags });
  await waitForTakeover(app, { run, child, log, after });
  child.unref();
  const shown = relative(process.cwd(), log);
  if (call.json) call.emit({ v: 1, run, detached: true, pid: child.pid ?? null, log });
  else {
    warnLackingTargets(call, app.targets);
    call.print(`${call.paint.green("✓")} ${call.paint.bold(run)} runs in the background (pid ${child.pid})`);
    call.print(`  follow: ${call.paint.cyan(`signalbox events ${run} --follow`)}`);
    call.print(
      `  answer: ${call.paint.cyan("signalbox inbox")}    cancel: ${call.paint.cyan(`signalbox cancel ${run}`)}`,
    );
    call.print(call.paint.dim(`  ${await formatDashboardLine(run)}`));
    call.print(call.paint.dim(`  engine log: ${shown.startsWith("..") ? log : shown}`));
  }
  return 0;
}

/** Checked here because the detached engine would fail where nobody sees it. */
async function refuseOwned({ host, world }: Pick<App, "host" | "world">, run: string): Promise<void> {
  const { owner = null, leaseUntil = null } = (await host.runs.get(run)) ?? {};
  if (owner !== null && leaseUntil !== null && leaseUntil > world.now()) throw createRunOwnedError(run, owner);
}

type EngineStart = {
  readonly top: string;
  readonly run: string;
  readonly log: string;
  readonly flags?: readonly string[];
};

/** Starts the engine in its own session, so that neither a closed terminal nor Ctrl-C reaches it. */
function startEngine({ top, run, log, flags = [] }: EngineStart): ChildProcess {
  const out = openSync(log, "a", 0o600);
  try {
    return spawn(process.execPath, [BIN, "-C", top, "resume", run, "--wait", ...flags], {
      detached: true,
      stdio: ["ignore", out, out],
      cwd: top,
    });
  } finally {
    closeSync(out);
  }
}

/** Resumes a suspended run in a detached engine without waiting for it. */
export function startDetached({ top, runs }: Pick<RepositoryPlaces, "top" | "runs">, run: string): void {
  const folder = join(runs, run);
  mkdirSync(folder, { recursive: true });
  startEngine({ top, run, log: join(folder, "engine.log") }).unref();
}

type DetachedRun = { readonly run: string; readonly child: ChildProcess; readonly log: string; readonly after: number };

/** Waits until the journal shows that the detached engine owns the run. */
async function waitForTakeover({ host }: DetachInputs, { run, child, log, after }: DetachedRun): Promise<void> {
  const over = new AbortController();
  const late = setTimeout(() => over.abort(), PATIENCE_MS);
  child.once("exit", () => over.abort());
  child.once("error", () => over.abort());
  try {
    for await (const record of host.journal.follow(run, after, over.signal)) {
      if (record.type === "engine.started") return;
    }
    // The engine may have started and finished between two polls.
    if ((await host.journal.load(run, after)).some((record) => record.type === "engine.started")) return;
    const output = (await readFile(log, "utf8").catch(() => "")).trim().split("\n").slice(-3).join(" ");
    throw new SignalboxError(
      "INTERNAL",
      `The engine of run ${run} did not start${output ? `: ${output}` : ""}.`,
      `See ${log}, then try \`signalbox resume ${run}\`.`,
    );
  } finally {
    clearTimeout(late);
    over.abort();
  }
}
