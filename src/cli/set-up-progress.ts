import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { oneLine } from "../surfaces/terminal/clean-text.ts";
import { duration } from "../surfaces/terminal/duration.ts";
import { tailOf } from "./spool-text.ts";

type Watched = {
  /** The folder with the spools of one run. */
  readonly spools: string;
  readonly redact: (text: string) => string;
  say(line: string): void;
  /** Milliseconds after which something is said; the last one again and again. */
  readonly after?: readonly number[];
};

/** Nothing is heard of a set-up until it has ended, and that may take minutes: its last words, now and then. */
export function setUpProgress({ spools, redact, say, after = PAUSES }: Watched): { close(): void } {
  const startedAt = Date.now();
  let timer: NodeJS.Timeout | undefined;
  let closed = false;
  const wait = (turn: number): void => {
    timer = setTimeout(() => void tell(turn), after[Math.min(turn, after.length - 1)]);
    // Whoever ends is not held up by it.
    timer.unref();
  };
  const tell = async (turn: number): Promise<void> => {
    const words = await lastWords(spools, redact).catch(() => "");
    if (closed) return;
    say(`… at work for ${duration(Date.now() - startedAt)}${words === "" ? "" : `: ${words}`}`);
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

const PAUSES = [10_000, 20_000, 30_000, 60_000];

/** Of whatever printed something last. */
async function lastWords(spools: string, redact: (text: string) => string): Promise<string> {
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
  if (!newest) return "";
  const tail = await tailOf({ file: newest.file, most: 5, redact });
  return oneLine(redact(tail?.lines.findLast((line) => /[\p{L}\p{N}]/u.test(line)) ?? ""), 100);
}
