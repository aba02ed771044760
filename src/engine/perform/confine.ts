import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { AGENT_SETTINGS, type Confinement, confined, type Processes } from "../../core/ports/processes.ts";

/** What lies on this machine that no agent and no check needs to see, and what they need all the same. */
export type Walls = {
  /** The user's home, repository and state: hidden except for what is named below. */
  readonly hidden: readonly string[];
  /** Our own programs, where they lie inside a hidden place. */
  readonly readable: readonly string[];
};

type Place = {
  readonly processes: Processes;
  readonly walls: Walls | undefined;
  /** The attempt's own repository. */
  readonly dir: string;
  readonly home: string;
  readonly network: Confinement["network"];
};

/** Processes that can write in their own repository and home and nowhere else, where the system can hold them to it. */
export async function within(place: Place): Promise<Processes> {
  const { processes, walls, dir, home, network } = place;
  if (!walls) return processes;
  return confined(processes, {
    writable: [dir, home],
    hidden: walls.hidden,
    readable: [...walls.readable, ...(await borrowedObjects(dir))],
    readOnly: AGENT_SETTINGS.map((path) => join(dir, path)),
    network,
  });
}

/** The attempt's repository borrows the user's objects: they stay readable although the repository is hidden. */
async function borrowedObjects(dir: string): Promise<readonly string[]> {
  const alternates = await readFile(join(dir, ".git", "objects", "info", "alternates"), "utf8").catch(() => "");
  const direct = alternates.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  const further = await Promise.all(
    direct.map((objects) => readFile(join(objects, "info", "alternates"), "utf8").catch(() => "")),
  );
  return [...direct, ...further.flatMap((text) => text.split("\n").filter((line) => line.startsWith("/")))];
}
