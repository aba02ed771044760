import type { Dirent } from "node:fs";
import { open, readdir, stat } from "node:fs/promises";
import { join, relative } from "node:path";
import type { World } from "../../../core/ports/world.ts";
import { type Complain, complainer } from "../../../hosts/dbos/complain.ts";
import type { TeamHost } from "../../../hosts/dbos/open-team.ts";
import { layFiles } from "../lay-files.ts";

const EVERY_MS = 5_000;
/** Of a longer one its end is sent. */
const MOST_BYTES = 1_000_000;
/** Who played by a script has it from the store; nobody has to be sent it. */
const OWN = new Set(["script"]);

type Parts = {
  readonly spools: TeamHost["team"]["spools"];
  /** The folder of all runs here. */
  readonly runs: string;
  readonly world: Pick<World, "redact" | "newId" | "now">;
  readonly log: (line: string) => void;
};

export type FileSender = {
  /** While something is done for the run, what it leaves is sent now and then; and once more when it is done. */
  during<T>(run: string, use: () => Promise<T>): Promise<T>;
  /** What another worker has sent and is needed here; it is not sent back. */
  bring(run: string, wanted: (path: string) => boolean): Promise<void>;
};

/** What agents and commands print here, and what a run has written for people, so that all machines can show it. */
export function createFileSender(parts: Parts): FileSender {
  const sent = new Map<string, string>();
  const rounds = new Map<string, Promise<void>>();
  // One round of a run after the other: an older content must not come after a newer one.
  const send = (run: string, failed: Complain): Promise<void> => {
    const round = (rounds.get(run) ?? Promise.resolve())
      .then(() => sendChanged(parts, run, sent))
      .catch((error: unknown) => failed(`files of ${run} were not sent`, error));
    rounds.set(run, round);
    return round;
  };
  // What an outage held up is sent by the next round; after the last one there is none.
  const soon = complainer(parts.log);
  const never: Complain = (about, error) => parts.log(`${about}: ${String(error)}`);
  return {
    async bring(run, wanted) {
      for (const file of await layFiles(parts, run, wanted)) {
        const mark = await markOf(file);
        if (mark) sent.set(file, mark.text);
      }
    },
    async during(run, use) {
      const timer = setInterval(() => void send(run, soon), EVERY_MS).unref();
      try {
        return await use();
      } finally {
        clearInterval(timer);
        await send(run, never);
      }
    },
  };
}

async function sendChanged({ spools, runs, world }: Parts, run: string, sent: Map<string, string>): Promise<void> {
  const folder = join(runs, run);
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  for (const entry of entries) {
    const file = join(entry.parentPath, entry.name);
    const path = relative(folder, file);
    if (!isSent(entry, path)) continue;
    const mark = await markOf(file);
    if (!mark || sent.get(file) === mark.text) continue;
    // Until its process has ended it may hold secrets of this machine, which no reader knows.
    const text = world.redact((await endOf(file, mark.size)).toString("utf8"));
    await spools.put(run, path, Buffer.from(text));
    sent.set(file, mark.text);
  }
}

/** Changes with the file. */
async function markOf(file: string): Promise<{ readonly size: number; readonly text: string } | undefined> {
  const seen = await stat(file).catch(() => undefined);
  return seen && { size: seen.size, text: `${seen.size} ${seen.mtimeMs}` };
}

function isSent(entry: Dirent, path: string): boolean {
  return entry.isFile() && !OWN.has(path.split("/")[0] ?? "");
}

async function endOf(file: string, size: number): Promise<Buffer> {
  const handle = await open(file);
  try {
    const length = Math.min(size, MOST_BYTES);
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, size - length);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}
