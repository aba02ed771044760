import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdir, readFile, realpath, rm, stat } from "node:fs/promises";
import { join, sep } from "node:path";
import type { CheckedCommand, Command, Effect } from "../../core/effect.ts";
import { whyNotRun } from "../../core/evidence/not-run.ts";
import { readTestReport, type TestCounts } from "../../core/evidence/test-report.ts";
import { redactDeep } from "../../core/redact-deep.ts";
import { within } from "./confine.ts";
import { effectName } from "./desk.ts";
import { inspect } from "./inspect.ts";
import { ownVariables } from "./own-variables.ts";
import type { PerformerParts } from "./performer.ts";
import { scrubSpool } from "./scrub.ts";
import { prepare } from "./setup.ts";

const SNIPPET = 500;
const REPORT_BYTES = 8 * 1024 * 1024;
const WALL_MS = 30 * 60_000;
const OUTPUT_BYTES = 64 * 1024 * 1024;

/** Runs configured commands on a clean checkout of a tree, outside the user's repository. */
export async function runChecks(
  parts: PerformerParts,
  effect: Effect<"check">,
  signal: AbortSignal,
): Promise<readonly CheckedCommand[]> {
  const name = effectName(parts.world, effect);
  if (effect.request.inspect) {
    return redactDeep(await inspect(parts.workspace, effect.request.tree, effect.request.inspect), parts.world.redact);
  }
  const place = await parts.workspace.open(effect.request.tree, name);
  const home = join(parts.cache, "homes", name);
  await mkdir(home, { recursive: true, mode: 0o700 });
  const { variables, release } = await ownVariables(parts, effect);
  try {
    const { commands, setup } = effect.request;
    const { walls } = parts;
    const run = async (command: Command, network: "none" | "all" = "none"): Promise<CheckedCommand> => {
      const processes = await within({ ...parts, walls, dir: place.dir, home, network });
      const spool = join(parts.runs, effect.run, "spool", name, parts.world.hash(command.name).slice(0, 8));
      await mkdir(spool, { recursive: true, mode: 0o700 });
      const cwd = await folderIn(place.dir, command.cwd ?? ".");
      if (cwd === undefined) return notThere(command);
      const env = { ...checkEnvironment(home), ...variables };
      return runCommand({ ...parts, processes }, { effect, command, spool, env, cwd, signal });
    };
    const unprepared =
      setup && (await prepare({ ...parts, dir: place.dir, setup, run: (command) => run(command, "all") }));
    if (unprepared) return commands.map((command) => notRun(command, unprepared));
    const results: CheckedCommand[] = [];
    for (const command of commands) results.push(await run(command));
    return results;
  } finally {
    release();
    await place.close();
    await rm(home, { recursive: true, force: true });
  }
}

type At = {
  readonly effect: Effect<"check">;
  readonly command: Command;
  readonly spool: string;
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly signal: AbortSignal;
};

async function runCommand(parts: PerformerParts, at: At): Promise<CheckedCommand> {
  const started = await parts.processes.start({
    command: "sh",
    // The line is the team's own configuration, approved by a person; no agent's text ever gets here.
    args: ["-c", at.command.run],
    cwd: at.cwd,
    env: at.env,
    spool: at.spool,
    cookie: at.effect.id,
    limits: { wallMs: WALL_MS, outputBytes: OUTPUT_BYTES },
  });
  const stop = () => void started.stop("canceled");
  at.signal.addEventListener("abort", stop, { once: true });
  if (at.signal.aborted) stop();
  const exit = await started.exited;
  at.signal.removeEventListener("abort", stop);
  const output = parts.world.redact(`${exit.stdoutTail}${exit.stderrTail}`);
  // Before the digest, which is to fit the file that stays.
  await scrubSpool(parts, at.spool);
  const tests = await testsIn([join(at.spool, "stdout"), join(at.spool, "stderr")]);
  const exitCode = exit.stopped === null ? exit.code : null;
  const notRun = whyNotRun({ exitCode, output, tests });
  return {
    name: at.command.name,
    command: at.command.run,
    ...(at.command.cwd === undefined ? {} : { cwd: at.command.cwd }),
    exitCode,
    ms: exit.ms,
    digest: await digestOf([join(at.spool, "stdout"), join(at.spool, "stderr")]),
    snippet: output.trim().slice(-SNIPPET),
    ...(notRun === undefined ? {} : { notRun }),
    ...(tests ? { tests } : {}),
  };
}

/** A link must not lead a command out of the tree that it is to judge. */
async function folderIn(dir: string, cwd: string): Promise<string | undefined> {
  const [top, found] = await Promise.all([realpath(dir), realpath(join(dir, cwd)).catch(() => undefined)]);
  if (found === undefined || !(found === top || found.startsWith(`${top}${sep}`))) return undefined;
  return (await stat(found)).isDirectory() ? found : undefined;
}

function notThere({ name, run, cwd = "." }: Command): CheckedCommand {
  const snippet = `there is no folder ${cwd} in this tree`;
  const digest = createHash("sha256").update(snippet).digest("hex");
  return { name, command: run, cwd, exitCode: null, ms: 0, digest, snippet, notRun: snippet };
}

/** Counted only where all of the output is at hand: half a report would look like fewer tests. */
async function testsIn(files: readonly string[]): Promise<TestCounts | undefined> {
  for (const file of files) {
    if ((await stat(file)).size > REPORT_BYTES) continue;
    const tests = readTestReport(await readFile(file, "utf8"));
    if (tests) return tests;
  }
  return undefined;
}

/** A checkout that could not be prepared can show nothing: every check of it says why. */
function notRun(command: Command, why: CheckedCommand): CheckedCommand {
  const snippet = `the set-up failed (exit ${why.exitCode}): ${why.snippet}`.slice(0, SNIPPET);
  return { ...why, name: command.name, command: command.run, exitCode: null, snippet, notRun: snippet };
}

/** Of everything it printed, without ever holding it. */
async function digestOf(files: readonly string[]): Promise<string> {
  const hash = createHash("sha256");
  for (const file of files) for await (const chunk of createReadStream(file)) hash.update(chunk);
  return hash.digest("hex");
}

/** Nothing of the user's environment but where programs are: what a check finds must not depend on who started it. */
function checkEnvironment(home: string): Record<string, string> {
  return {
    PATH: process.env["PATH"] ?? "/usr/bin:/bin",
    HOME: home,
    TMPDIR: home,
    LANG: "C.UTF-8",
    TERM: "dumb",
    NO_COLOR: "1",
    CI: "true",
  };
}
