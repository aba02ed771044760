import { readdir } from "node:fs/promises";
import type { World } from "../../core/ports/world.ts";

/** Returns a name with this process's id, so that other processes can tell whether its owner is still running. */
export function createOwnName(world: Pick<World, "newId">): string {
  return `${process.pid}-${world.newId()}`;
}

/** Lists entries left by processes that no longer run. */
export async function listAbandoned(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch(() => []);
  return names.filter((name) => !isProcessRunning(Number.parseInt(name, 10)));
}

function isProcessRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // The process exists but belongs to another user.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
