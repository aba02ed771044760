import { readdir } from "node:fs/promises";
import type { World } from "../../core/ports/world.ts";

/** A name for what this process puts down, so that others at the same work leave it alone. */
export function ownName(world: Pick<World, "newId">): string {
  return `${process.pid}-${world.newId()}`;
}

/** What processes that are gone have left there, by the names that they gave it. */
export async function leftIn(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch(() => []);
  return names.filter((name) => !isRunning(Number.parseInt(name, 10)));
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // It is there, and somebody else's.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
