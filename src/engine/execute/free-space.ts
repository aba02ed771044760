import { randomUUID } from "node:crypto";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { toMachineError } from "../../core/failure/machine-failure.ts";

const PROBE = Buffer.alloc(64 * 1024);

/** Throws the system's error if nothing can be written: an agent that failed on a full disk is not to blame. */
export async function requireWritableSpace(folder: string): Promise<void> {
  const probe = join(folder, `room-${randomUUID()}`);
  try {
    await writeFile(probe, PROBE);
  } catch (error) {
    throw toMachineError(error, folder) ?? error;
  } finally {
    await rm(probe, { force: true });
  }
}
