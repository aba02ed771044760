import type { Dirent } from "node:fs";
import { open, readdir, stat } from "node:fs/promises";
import { join, relative } from "node:path";
import type { World } from "../../../core/ports/world.ts";
import { createFailureLogger, type LogFailure } from "../../../hosts/dbos/failure-logger.ts";
import type { TeamHost } from "../../../hosts/dbos/open-team.ts";
import { writeUploads } from "../uploads.ts";

const EVERY_MS = 5_000;
/** Longer files are cut to their end. */
const MOST_BYTES = 1_000_000;
/** Script files come from the store and are not sent back. */
const DOWNLOADED = new Set(["script"]);

type SenderInputs = {
  readonly spools: TeamHost["team"]["spools"];
  /** Folder of all runs on this machine. */
  readonly runs: string;
  readonly world: Pick<World, "redact" | "newId" | "now">;
  readonly log: (line: string) => void;
};

export type FileSender = {
  /** Uploads new files at intervals while `use` runs, and once more when it is done. */
  during<T>(run: string, use: () => Promise<T>): Promise<T>;
  /** Fetches files that another worker uploaded and that are needed here. They are not sent back. */
  bring(run: string, wanted: (path: string) => boolean): Promise<void>;
};

/**
 * Uploads the output of agents and commands, and the files that a run wrote for people, so that every machine can
 * display them.
 */
export function createFileSender(parts: SenderInputs): FileSender {
  const sent = new Map<string, string>();
  const rounds = new Map<string, Promise<void>>();
  // Runs one round per run at a time, so that older content cannot replace newer.
  const send = (run: string, failed: LogFailure): Promise<void> => {
    const round = (rounds.get(run) ?? Promise.resolve())
      .then(() => sendChanged(parts, run, sent))
      .catch((error: unknown) => failed(`files of ${run} were not uploaded`, error));
    rounds.set(run, round);
    return round;
  };
  // A round repeats what an outage delayed. No round follows the last one.
  const soon = createFailureLogger(parts.log);
  const logFailure: LogFailure = (about, error) => parts.log(`${about}: ${String(error)}`);
  return {
    async bring(run, wanted) {
      for (const file of await writeUploads(parts, run, wanted)) {
        const mark = await getFileMark(file);
        if (mark) sent.set(file, mark.text);
      }
    },
    async during(run, use) {
      const timer = setInterval(() => void send(run, soon), EVERY_MS).unref();
      try {
        return await use();
      } finally {
        clearInterval(timer);
        await send(run, logFailure);
      }
    },
  };
}

async function sendChanged(
  { spools, runs, world }: SenderInputs,
  run: string,
  sent: Map<string, string>,
): Promise<void> {
  const folder = join(runs, run);
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  for (const entry of entries) {
    const file = join(entry.parentPath, entry.name);
    const path = relative(folder, file);
    if (!isSent(entry, path)) continue;
    const mark = await getFileMark(file);
    if (!mark || sent.get(file) === mark.text) continue;
    // Output may contain secrets of this machine that readers do not know, so it is redacted before it is sent.
    const text = world.redact((await readFileEnd(file, mark.size)).toString("utf8"));
    await spools.put(run, path, Buffer.from(text));
    sent.set(file, mark.text);
  }
}

/** Returns the size and a mark that changes with the file. */
async function getFileMark(file: string): Promise<{ readonly size: number; readonly text: string } | undefined> {
  const seen = await stat(file).catch(() => undefined);
  return seen && { size: seen.size, text: `${seen.size} ${seen.mtimeMs}` };
}

function isSent(entry: Dirent, path: string): boolean {
  return entry.isFile() && !DOWNLOADED.has(path.split("/")[0] ?? "");
}

async function readFileEnd(file: string, size: number): Promise<Buffer> {
  const handle = await open(file);
  try {
    const length = Math.min(size, MOST_BYTES);
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, size - length);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}
