import { accessSync, constants, mkdirSync } from "node:fs";
import { resolve } from "node:path";
import { SignalboxError } from "../../core/failure/errors.ts";

/**
 * Creates the folder before anything starts. A folder that is not writable would fail the run at its first dispatch.
 */
export function createRecordFolder(asked: string): string {
  const folder = resolve(asked);
  try {
    mkdirSync(folder, { recursive: true });
    accessSync(folder, constants.W_OK);
    return folder;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new SignalboxError("USAGE", `--record ${asked} is not writable: ${why}`, "Use another folder.", {
      cause: error,
    });
  }
}
