import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import type { World } from "../../core/ports/world.ts";
import { spoolName } from "../../engine/execute/checks/checks.ts";
import { oneLine } from "../../surfaces/terminal/clean-text.ts";
import { duration } from "../../surfaces/terminal/duration.ts";
import { tailOf } from "../inspect/spool-text.ts";

/** A command, by the folder that it prints into. */
type SpooledCommand = { readonly name: string; readonly run: string; readonly folder: string };

export type Progress = {
  /** The command that was started last, where it is known. */
  readonly command?: SpooledCommand;
  /** Since when it runs, or all of it. */
  readonly since: number;
  readonly now: number;
  /** What was printed last. */
  readonly words: string;
  /** When that was. */
  readonly printedAt?: number | undefined;
};

type Commands = {
  readonly setup?: { readonly run: string } | undefined;
  readonly commands?: readonly { readonly name: string; readonly run: string }[];
};

/** What can be at work in a check. */
export function knownCommands(
  world: Pick<World, "hash">,
  { setup, commands = [] }: Commands,
): readonly SpooledCommand[] {
  const all = [...(setup ? [{ name: "set-up", run: setup.run }] : []), ...commands];
  return all.map(({ name, run }) => ({ name, run, folder: spoolName(world, name) }));
}

type SetupWatch = {
  /** The folder with the spools of one run. */
  readonly spools: string;
  readonly known?: readonly SpooledCommand[];
  readonly redact: (text: string) => string;
  say(progress: Progress): void;
  /** Milliseconds after which something is said; the last one again and again. */
  readonly after?: readonly number[];
};

/** Nothing is heard of a set-up until it has ended, and that may take minutes: who is at work, and its last words. */
export function setUpProgress({ spools, known = [], redact, say, after = PAUSES }: SetupWatch): { close(): void } {
  const startedAt = Date.now();
  let timer: NodeJS.Timeout | undefined;
  let closed = false;
  const wait = (turn: number): void => {
    timer = setTimeout(() => void tell(turn), after[Math.min(turn, after.length - 1)]);
    // Whoever ends is not held up by it.
    timer.unref();
  };
  const tell = async (turn: number): Promise<void> => {
    const { dir, ...begun } = (await lastBegun(spools, known, startedAt).catch(() => undefined)) ?? { dir: undefined };
    // Whatever else has printed something, such as the agent before, says nothing of this command.
    const place = known.length === 0 ? spools : dir;
    const last = place === undefined ? NO_WORDS : await lastWords(place, redact).catch(() => NO_WORDS);
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

/** From then on it is said: who looks on sees whether it still moves. */
const QUIET_MS = 60_000;

/** As a person reads it. */
export function progressText({ command, since, now, words, printedAt = now }: Progress): string {
  const who = command ? `${command.name} (${oneLine(command.run, 60)})` : "";
  const quiet = now - printedAt >= QUIET_MS ? ` (nothing new for ${duration(now - printedAt)})` : "";
  const last = words === "" ? "" : `: ${words}${quiet}`;
  return `… ${[who, `at work for ${duration(now - since)}`].filter(Boolean).join(" ")}${last}`;
}

export type BegunCommand = { readonly command: SpooledCommand; readonly since: number; readonly dir: string };

/** File systems and clocks round differently. */
const SLACK_MS = 1_000;

/** The command that was started last, and not before `from`: its folder is made then. */
export async function lastBegun(
  spools: string,
  known: readonly SpooledCommand[],
  from = 0,
): Promise<BegunCommand | undefined> {
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

type LastWords = Pick<Progress, "words" | "printedAt">;
const NO_WORDS: LastWords = { words: "" };

/** Of whatever printed something last. */
async function lastWords(spools: string, redact: (text: string) => string): Promise<LastWords> {
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
  if (!newest) return NO_WORDS;
  const tail = await tailOf({ file: newest.file, most: 5, redact });
  const words = oneLine(redact(tail?.lines.findLast((line) => /[\p{L}\p{N}]/u.test(line)) ?? ""), 100);
  return { words, printedAt: Math.round(newest.mtimeMs) };
}
