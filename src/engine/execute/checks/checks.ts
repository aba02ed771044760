import { createHash } from "node:crypto";
import { createReadStream, existsSync } from "node:fs";
import { mkdir, realpath, stat } from "node:fs/promises";
import { isAbsolute, join, relative } from "node:path";
import { explainNetworkProblem } from "../../../core/checks/cure/cure-network.ts";
import { isTestCommand } from "../../../core/checks/detect/test-command.ts";
import { isCoverageShortfall } from "../../../core/checks/exam/coverage.ts";
import { extractExcerpt } from "../../../core/checks/outcome/excerpt.ts";
import { extractFailureLines } from "../../../core/checks/outcome/failure-lines.ts";
import { explainNotRun, STOOD_STILL } from "../../../core/checks/outcome/not-run.ts";
import { toExitCode } from "../../../core/checks/outcome/process-end.ts";
import { toTestResults } from "../../../core/checks/outcome/test-results.ts";
import { isPartNeeded } from "../../../core/checks/setup/setup-parts.ts";
import type { CheckedCommand, Command, Effect } from "../../../core/journal/effect.ts";
import type { World } from "../../../core/ports/world.ts";
import { redactDeep } from "../../../core/text/redact-deep.ts";
import { isWithin } from "../../../node/containment.ts";
import { sha256 } from "../../../node/digest.ts";
import { makeOwnFolder } from "../../../node/own-folder.ts";
import { removeFolder } from "../../../node/remove-folder.ts";
import { createAttemptEnv } from "../attempt/attempt-env.ts";
import type { ExecutorDeps } from "../executor.ts";
import { createStart } from "../numbered-start.ts";
import { removeSecrets } from "../remove-secrets.ts";
import { createSandbox, getConfinement } from "../sandbox.ts";
import { runSetup, type SetupResult } from "../setup/setup.ts";
import { type CommandOrder, runToEnd } from "./command-end.ts";
import { inspectTree } from "./inspect.ts";
import { readPrintedText } from "./printed-text.ts";
import { type ReadReports, readReports } from "./read-reports.ts";

const SNIPPET = 500;

/** Runs configured commands on a clean checkout of a tree, outside the user's repository. */
export async function runChecks(
  parts: ExecutorDeps,
  effect: Effect<"check">,
  signal: AbortSignal,
): Promise<readonly CheckedCommand[]> {
  if (effect.request.inspect) {
    const { tree, inspect: inspection } = effect.request;
    return redactDeep(await inspectTree(parts.workspace, { tree, inspection, signal }), parts.world.redact);
  }
  const start = await createStart(parts, effect);
  const place = await parts.workspace.open(effect.request.tree, start.name, { confined: getConfinement(parts) });
  const home = join(parts.cache, "homes", start.name);
  await mkdir(home, { recursive: true, mode: 0o700 });
  const { variables, release } = await createAttemptEnv(parts, start);
  try {
    const { commands, setup, tree, keep = false } = effect.request;
    const { sandboxPaths } = parts;
    const run = async (command: Command, isSetup = false): Promise<CheckedCommand> => {
      const network = isSetup ? "all" : "none";
      const given = parts.environment?.[isSetup ? "setup" : "checks"] ?? {};
      const visible = sandboxPaths && {
        ...sandboxPaths,
        readable: [...sandboxPaths.readable, ...listVariableFiles(given)],
      };
      const processes = await createSandbox({ ...parts, sandboxPaths: visible, dir: place.dir, home, network });
      const own = hashSpoolName(parts.world, command.name);
      const spool = join(start.spool, own);
      makeOwnFolder(spool);
      const cwd = await resolveCheckFolder(place.dir, command.cwd ?? ".");
      if (cwd === undefined) return createMissingFolder(command);
      const env = { ...checkEnvironment(home), ...(isSetup ? IMPATIENT : {}), ...given, ...variables };
      // In the home of the check, where it may write, and not in the tree that it judges.
      const reports = join(home, ".reports", own);
      const at = { cookie: start.id, command, spool, env, cwd, place, reports, isSetup, signal };
      const output = relative(join(parts.runs, effect.run, "spool"), spool);
      return { ...(await runCommand({ ...parts, processes }, at)), output };
    };
    const order = { ...parts, dir: place.dir, folder: place, home, tree, keep, given: parts.environment?.setup ?? {} };
    const {
      failed,
      lacking = [],
      told,
    } = setup
      ? await runSetup({ ...order, setup, run: (command) => run({ ...command, asked: false }, true) })
      : NOTHING_TO_PREPARE;
    if (failed)
      return addNote(
        told,
        commands.map((command) => notRun(command, failed)),
      );
    const results: CheckedCommand[] = [];
    for (const command of commands) {
      // A set-up or an earlier command must not have repaired what this one judges.
      await place.restore();
      const missed = lacking.find(({ part }) => isPartNeeded(command.run, part));
      if (missed) {
        results.push(notRun(command, missed.done, ` in its part \`${missed.part.run}\``));
        continue;
      }
      const result = await run(command);
      results.push(keep ? await runWithoutReports(result, () => run({ ...command, asked: false })) : result);
    }
    return addNote(told, results);
  } finally {
    release();
    await place.close();
    await removeFolder(home);
  }
}

/**
 * Runs a line without a report request if the request may have broken it. Only on a tree that a person committed;
 * elsewhere a test could break its report so that its output is believed.
 */
async function runWithoutReports(
  result: CheckedCommand,
  again: () => Promise<CheckedCommand>,
): Promise<CheckedCommand> {
  if (result.exitCode === null || result.tests || !isDoubtful(result)) return result;
  const plain = await again();
  return plain.exitCode === 0 || plain.tests ? { ...plain, unasked: true } : result;
}

/**
 * A command that runs no tests has nothing to report and is red by itself, unless its output shows that the request was
 * in its way.
 */
function isDoubtful({ name, command: run, exitCode, notRun, snippet }: CheckedCommand): boolean {
  if (notRun !== undefined) return true;
  return exitCode !== 0 && (isTestCommand({ name, run }) || /NODE_OPTIONS|PYTHONPATH|SIGNALBOX_REPORTS/.test(snippet));
}

async function runCommand(parts: ExecutorDeps, at: CommandOrder): Promise<CheckedCommand> {
  const { exit, since, again } = await runToEnd(parts, at);
  const output = parts.world.redact(`${exit.stdoutTail}${exit.stderrTail}`);
  // Before the digest, which must match the file that stays.
  await removeSecrets(parts, at.spool);
  const printed = [join(at.spool, "stdout"), join(at.spool, "stderr")];
  const { redact } = parts.world;
  const read = await readReports({ folder: at.reports, printed, top: at.place.dir, cwd: at.cwd, since, redact });
  const exitCode = toExitCode(exit);
  const stoodStill = exit.stopped === "silent" ? STOOD_STILL : undefined;
  const notRun = read.problem ?? stoodStill ?? explainNotRun({ exitCode, output, tests: read.tests });
  const isGreen = exitCode === 0 && notRun === undefined && (read.tests?.failed ?? 0) === 0;
  const excerpt = isGreen ? undefined : await readExcerpt(at, { printed, tests: read.tests, redact });
  const snippet = at.isSetup && exitCode !== 0 ? extractFailureLines(output, SNIPPET) : output.trim().slice(-SNIPPET);
  return {
    name: at.command.name,
    command: at.command.run,
    ...(at.command.cwd === undefined ? {} : { cwd: at.command.cwd }),
    exitCode,
    ms: exit.ms,
    digest: await hashOutput(printed),
    snippet: again === undefined ? snippet : told(again, snippet),
    ...(excerpt ? { excerpt } : {}),
    ...(exitCode !== 0 && isCoverageShortfall(output) ? { isShortOfCoverage: true } : {}),
    ...(notRun === undefined ? {} : { notRun }),
    ...(read.tests ? { tests: read.tests } : {}),
  };
}

type ExcerptInput = {
  readonly printed: readonly string[];
  readonly tests: ReadReports["tests"] | undefined;
  redact(text: string): string;
};

/** Output says more than a report, which has only names. Equal failures give equal excerpts, wherever they ran. */
async function readExcerpt({ place }: CommandOrder, { printed, tests, redact }: ExcerptInput): Promise<string> {
  const texts = await Promise.all(printed.map((file) => readPrintedText(file, READ_BYTES)));
  const tops = [...new Set([place.dir, await realpath(place.dir)])];
  const failing = tests && toTestResults(tests).failing;
  return extractExcerpt({ output: redact(texts.filter(Boolean).join("\n")), failing, tops });
}

const READ_BYTES = 256 * 1024;

/** A link must not lead a command out of the tree that it judges. */
async function resolveCheckFolder(dir: string, cwd: string): Promise<string | undefined> {
  const [top, found] = await Promise.all([realpath(dir), realpath(join(dir, cwd)).catch(() => undefined)]);
  if (found === undefined || !isWithin(found, top)) return undefined;
  return (await stat(found)).isDirectory() ? found : undefined;
}

function createMissingFolder({ name, run, cwd = "." }: Command): CheckedCommand {
  const snippet = `there is no folder ${cwd} in this tree`;
  const digest = sha256(snippet);
  return { name, command: run, cwd, exitCode: null, ms: 0, digest, snippet, notRun: snippet };
}

const NOTHING_TO_PREPARE: SetupResult = {};

/** Adds the note to the first result only; readers see it there. */
function addNote(word: string | undefined, results: readonly CheckedCommand[]): readonly CheckedCommand[] {
  const [first, ...others] = results;
  if (word === undefined || !first) return results;
  return [{ ...first, snippet: told(word, first.snippet) }, ...others];
}

const told = (word: string, snippet: string): string => `${word}\n${snippet}`.slice(0, SNIPPET);

/** The output of the set-up is more important than a long command line. */
const WHERE = 160;

/** Marks a check as not run: a checkout without its set-up can show nothing, and every check says why. */
function notRun(command: Command, why: CheckedCommand, where = ""): CheckedCommand {
  const ended = why.exitCode === null ? (why.notRun ?? "stopped") : `exit ${why.exitCode}`;
  const unreached = explainNetworkProblem(why.command, `${ended}\n${why.snippet}`);
  const head = `the set-up failed (${ended})${where.slice(0, WHERE)}: ${unreached === undefined ? "" : `${unreached}: `}`;
  const snippet = `${head}${extractFailureLines(why.snippet, SNIPPET - head.length)}`;
  return { ...why, name: command.name, command: command.run, exitCode: null, snippet, notRun: snippet };
}

/** Names the folder of this command's output, below the folder of the effect. */
export function hashSpoolName({ hash }: Pick<World, "hash">, command: string): string {
  return hash(command).slice(0, 8);
}

/**
 * Fails fast if a registry is unreachable or has an unknown certificate: npm would retry for minutes first. The line's
 * own flags override these.
 */
const IMPATIENT: Readonly<Record<string, string>> = {
  npm_config_fetch_retry_mintimeout: "1000",
  npm_config_fetch_retry_maxtimeout: "4000",
  PIP_RETRIES: "2",
};

/** Hashes all output without holding it in memory. */
async function hashOutput(files: readonly string[]): Promise<string> {
  const hash = createHash("sha256");
  for (const file of files) for await (const chunk of createReadStream(file)) hash.update(chunk);
  return hash.digest("hex");
}

/**
 * Lists files that variables point to (a certificate, a tool chain, a socket): they must be visible although the home
 * is hidden.
 */
function listVariableFiles(given: Readonly<Record<string, string>>): readonly string[] {
  return Object.values(given).filter((value) => isAbsolute(value) && value !== "/" && existsSync(value));
}

/**
 * Contains nothing of the user's environment but the path of programs: the result of a check must not depend on who
 * started it.
 */
function checkEnvironment(home: string): Record<string, string> {
  return {
    PATH: process.env["PATH"] ?? "/usr/bin:/bin",
    HOME: home,
    // Java asks the system for the home of the user.
    MAVEN_OPTS: `-Duser.home=${home}`,
    GRADLE_USER_HOME: join(home, ".gradle"),
    TMPDIR: home,
    LANG: "C.UTF-8",
    TERM: "dumb",
    NO_COLOR: "1",
    CI: "true",
  };
}
