import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import type { World } from "../../core/ports/world.ts";
import { hashSpoolName } from "../../engine/execute/checks/checks.ts";
import { toOneLine } from "../../surfaces/terminal/clean-text.ts";
import { formatDuration } from "../../surfaces/terminal/duration.ts";
import { readTail } from "../inspect/spool-text.ts";

/** A command with the folder of its output. */
type SpooledCommand = { readonly name: string; readonly run: string; readonly folder: string };

export type CommandProgress = {
  /** The command that was started last, if known. */
  readonly command?: SpooledCommand;
  /** Start time of the command, or of the whole check. */
  readonly since: number;
  readonly now: number;
  /** The last line of output. */
  readonly words: string;
  /** Time of the last output. */
  readonly printedAt?: number | undefined;
};

type Commands = {
  readonly setup?: { readonly run: string } | undefined;
  readonly commands?: readonly { readonly name: string; readonly run: string }[];
};

/** Lists the commands that a check can run. */
export function listCheckCommands(
  world: Pick<World, "hash">,
  { setup, commands = [] }: Commands,
): readonly SpooledCommand[] {
  const all = [...(setup ? [{ name: "set-up", run: setup.run }] : []), ...commands];
  return all.map(({ name, run }) => ({ name, run, folder: hashSpoolName(world, name) }));
}

type ProgressWatch = {
  /** The spool folder of one run. */
  readonly spools: string;
  readonly known?: readonly SpooledCommand[];
  readonly redact: (text: string) => string;
  say(progress: CommandProgress): void;
  /** Milliseconds between reports; the last value repeats. */
  readonly after?: readonly number[];
};

/**
 * Reports which command is running and its last output. A set-up records nothing until it ends, which may take minutes.
 */
export function watchProgress({ spools, known = [], redact, say, after = PAUSES }: ProgressWatch): { close(): void } {
  const startedAt = Date.now();
  let timer: NodeJS.Timeout | undefined;
  let closed = false;
  const wait = (turn: number): void => {
    timer = setTimeout(() => void reportProgress(turn), after[Math.min(turn, after.length - 1)]);
    // The timer must not keep the process alive.
    timer.unref();
  };
  const reportProgress = async (turn: number): Promise<void> => {
    const { dir, ...begun } = (await findLastStarted(spools, known, startedAt).catch(() => undefined)) ?? {
      dir: undefined,
    };
    // Other output, such as that of the agent before, says nothing about this command.
    const place = known.length === 0 ? spools : dir;
    const last = place === undefined ? NO_OUTPUT : await readLastOutput(place, redact).catch(() => NO_OUTPUT);
    if (closed) return;
    say({ since: startedAt, ...begun, now: Date.now(), ...last });
    wait(turn + 1);
  };
  wait(0);
  return {
    close() {
      closed = true;
      clearTimeout(timer);
    },
  };
}

/** After this time without output the pause is displayed. */
const QUIET_MS = 60_000;

/** Formats the progress for people. */
export function formatProgress({ command, since, now, words, printedAt = now }: CommandProgress): string {
  const who = command ? `${command.name} (${toOneLine(command.run, 60)})` : "";
  const quiet = now - printedAt >= QUIET_MS ? ` (no output for ${formatDuration(now - printedAt)})` : "";
  const last = words === "" ? "" : `: ${words}${quiet}`;
  return `… ${[who, `running for ${formatDuration(now - since)}`].filter(Boolean).join(" ")}${last}`;
}

export type StartedCommand = { readonly command: SpooledCommand; readonly since: number; readonly dir: string };

/** File systems and clocks round differently. */
const SLACK_MS = 1_000;

/** Returns the command that was started last, not before `from`, by the creation time of its folder. */
export async function findLastStarted(
  spools: string,
  known: readonly SpooledCommand[],
  from = 0,
): Promise<StartedCommand | undefined> {
  const folders = new Map(known.map((command) => [command.folder, command]));
  const entries = await readdir(spools, { withFileTypes: true, recursive: true });
  const found = await Promise.all(
    entries.map(async (entry) => {
      const command = entry.isDirectory() ? folders.get(entry.name) : undefined;
      if (!command) return [];
      const dir = join(entry.parentPath, entry.name);
      const since = (await stat(dir).catch(() => undefined))?.birthtimeMs;
      return since === undefined || since < from - SLACK_MS ? [] : [{ command, since: Math.round(since), dir }];
    }),
  );
  return found.flat().sort((a, b) => b.since - a.since)[0];
}

const PAUSES = [10_000, 20_000, 30_000, 60_000];

type LastOutput = Pick<CommandProgress, "words" | "printedAt">;
const NO_OUTPUT: LastOutput = { words: "" };

/** Returns the last line of the most recent output. */
async function readLastOutput(spools: string, redact: (text: string) => string): Promise<LastOutput> {
  const entries = await readdir(spools, { withFileTypes: true, recursive: true });
  const files = entries.filter((entry) => entry.isFile() && /^std(?:out|err)$/.test(entry.name));
  const seen = await Promise.all(
    files.map(async (entry) => {
      const file = join(entry.parentPath, entry.name);
      const { mtimeMs, size } = await stat(file);
      return { file, mtimeMs, size };
    }),
  );
  const newest = seen.filter(({ size }) => size > 0).sort((a, b) => b.mtimeMs - a.mtimeMs)[0];
  if (!newest) return NO_OUTPUT;
  const tail = await readTail({ file: newest.file, most: 5, redact });
  const words = toOneLine(redact(tail?.lines.findLast((line) => /[\p{L}\p{N}]/u.test(line)) ?? ""), 100);
  return { words, printedAt: Math.round(newest.mtimeMs) };
}
