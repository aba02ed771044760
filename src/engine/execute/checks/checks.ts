import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdir, realpath, rm, stat } from "node:fs/promises";
import { join, sep } from "node:path";
import type { CheckedCommand, Command, Effect } from "../../core/effect.ts";
import { whyNotRun } from "../../core/evidence/not-run.ts";
import { tellingLines } from "../../core/evidence/telling-lines.ts";
import { isTestCommand } from "../../core/evidence/test-command.ts";
import type { World } from "../../core/ports/world.ts";
import { redactDeep } from "../../core/redact-deep.ts";
import { askedLine, askForReports } from "./ask-for-reports.ts";
import { within } from "./confine.ts";
import { effectName } from "./desk.ts";
import { inspect } from "./inspect.ts";
import { ownVariables } from "./own-variables.ts";
import type { PerformerParts } from "./performer.ts";
import { readReports } from "./read-reports.ts";
import { scrubSpool } from "./scrub.ts";
import { type Prepared, prepare } from "./setup.ts";

const SNIPPET = 500;
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
    const { tree, inspect: inspection } = effect.request;
    return redactDeep(await inspect(parts.workspace, { tree, inspection, signal }), parts.world.redact);
  }
  const place = await parts.workspace.open(effect.request.tree, name);
  const home = join(parts.cache, "homes", name);
  await mkdir(home, { recursive: true, mode: 0o700 });
  const { variables, release } = await ownVariables(parts, effect);
  try {
    const { commands, setup, tree, keep = false } = effect.request;
    const { walls } = parts;
    const run = async (command: Command, isSetup = false): Promise<CheckedCommand> => {
      const network = isSetup ? "all" : "none";
      const processes = await within({ ...parts, walls, dir: place.dir, home, network });
      const own = spoolName(parts.world, command.name);
      const spool = join(parts.runs, effect.run, "spool", name, own);
      await mkdir(spool, { recursive: true, mode: 0o700 });
      const cwd = await folderIn(place.dir, command.cwd ?? ".");
      if (cwd === undefined) return notThere(command);
      const env = { ...checkEnvironment(home), ...(isSetup ? IMPATIENT : {}), ...variables };
      // In the check's home, where it may write, and not in its tree, which it is to judge.
      const reports = join(home, ".reports", own);
      const at = { effect, command, spool, env, cwd, top: place.dir, reports, isSetup, signal };
      return runCommand({ ...parts, processes }, at);
    };
    const order = { ...parts, dir: place.dir, home, tree, keep };
    const { failed, told } = setup
      ? await prepare({ ...order, setup, run: (command) => run({ ...command, asked: false }, true) })
      : NOTHING_TO_PREPARE;
    if (failed)
      return withWord(
        told,
        commands.map((command) => notRun(command, failed)),
      );
    const results: CheckedCommand[] = [];
    for (const command of commands) {
      // A set-up, or the command before, must not have mended what this one is to judge.
      await place.restore();
      const result = await run(command);
      results.push(keep ? await unasked(result, () => run({ ...command, asked: false })) : result);
    }
    return withWord(told, results);
  } finally {
    release();
    await place.close();
    await rm(home, { recursive: true, force: true });
  }
}

/**
 * A line that leaves no whole report may have failed by being asked for one: then it is run as it stands. Only on a tree
 * that a person committed; elsewhere a test could break its report to be believed by what it prints.
 */
async function unasked(result: CheckedCommand, again: () => Promise<CheckedCommand>): Promise<CheckedCommand> {
  if (result.exitCode === null || result.tests || !isDoubtful(result)) return result;
  const plain = await again();
  return plain.exitCode === 0 || plain.tests ? plain : result;
}

/** What runs no tests has nothing to report and is red by itself, unless it says that the asking was in its way. */
function isDoubtful({ name, command: run, exitCode, notRun, snippet }: CheckedCommand): boolean {
  if (notRun !== undefined) return true;
  return exitCode !== 0 && (isTestCommand({ name, run }) || /NODE_OPTIONS|PYTHONPATH|SIGNALBOX_REPORTS/.test(snippet));
}

type At = {
  readonly effect: Effect<"check">;
  readonly command: Command;
  readonly spool: string;
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** The checkout. */
  readonly top: string;
  /** Where its test programs are to write what became of each test. */
  readonly reports: string;
  /** Most of what it prints is progress. */
  readonly isSetup: boolean;
  readonly signal: AbortSignal;
};

async function runCommand(parts: PerformerParts, at: At): Promise<CheckedCommand> {
  // Empty: an attempt that was cut short may have left some.
  await rm(at.reports, { recursive: true, force: true });
  await mkdir(at.reports, { recursive: true, mode: 0o700 });
  const since = (await stat(at.reports)).mtimeMs;
  const { asked = true, run: line } = at.command;
  const env = asked ? await askForReports({ folder: at.reports, env: at.env }) : at.env;
  const started = await parts.processes.start({
    command: "sh",
    // The line is the team's own configuration, approved by a person; no agent's text ever gets here.
    args: ["-c", asked ? askedLine(line) : line],
    cwd: at.cwd,
    env,
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
  const printed = [join(at.spool, "stdout"), join(at.spool, "stderr")];
  const { redact } = parts.world;
  const read = await readReports({ folder: at.reports, printed, top: at.top, cwd: at.cwd, since, redact });
  const exitCode = exit.stopped === null ? exit.code : null;
  const notRun = read.problem ?? whyNotRun({ exitCode, output, tests: read.tests });
  return {
    name: at.command.name,
    command: at.command.run,
    ...(at.command.cwd === undefined ? {} : { cwd: at.command.cwd }),
    exitCode,
    ms: exit.ms,
    digest: await digestOf(printed),
    snippet: at.isSetup && exitCode !== 0 ? tellingLines(output, SNIPPET) : output.trim().slice(-SNIPPET),
    ...(notRun === undefined ? {} : { notRun }),
    ...(read.tests ? { tests: read.tests } : {}),
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

const NOTHING_TO_PREPARE: Prepared = {};

/** Once: whoever looks at the first result sees it. */
function withWord(word: string | undefined, results: readonly CheckedCommand[]): readonly CheckedCommand[] {
  const [first, ...others] = results;
  if (word === undefined || !first) return results;
  return [{ ...first, snippet: `${word}\n${first.snippet}`.slice(0, SNIPPET) }, ...others];
}

/** A checkout that could not be prepared can show nothing: every check of it says why. */
function notRun(command: Command, why: CheckedCommand): CheckedCommand {
  const head = `the set-up failed (exit ${why.exitCode}): `;
  const snippet = `${head}${tellingLines(why.snippet, SNIPPET - head.length)}`;
  return { ...why, name: command.name, command: command.run, exitCode: null, snippet, notRun: snippet };
}

/** Below the folder of an effect, where the output of this command lies. */
export function spoolName({ hash }: Pick<World, "hash">, command: string): string {
  return hash(command).slice(0, 8);
}

/**
 * A registry that cannot be reached, or whose certificate is unknown, is so at once: npm would wait for minutes before
 * it says that. A line's own flags count before these.
 */
const IMPATIENT: Readonly<Record<string, string>> = {
  npm_config_fetch_retry_mintimeout: "1000",
  npm_config_fetch_retry_maxtimeout: "4000",
  PIP_RETRIES: "2",
};

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
