import { readdirSync, readFileSync } from "node:fs";
import { listCarriers } from "../../src/processes/tag/process-tag.ts";

export type Survivors = {
  /** Found by the cookie in their environment, as the engine finds them. */
  readonly carriers: readonly number[];
  /** Found by a word on their command line that only the test knows; works without an environment too. */
  readonly marked: readonly number[];
};

export function survivorsOf(cookie: string, marker: string): Survivors {
  const running = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  const marked = running.filter((pid) => readCommandLine(pid).includes(marker)).map(Number);
  return { carriers: listCarriers(cookie), marked };
}

function readCommandLine(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    return "";
  }
}
