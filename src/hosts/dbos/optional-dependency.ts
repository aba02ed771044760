import { SignalboxError } from "../../core/failure/errors.ts";

/** Loads a package that only this host needs, so that it can stay an optional dependency. */
export async function importPeer<T>(name: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    if (!isModuleMissing(error)) throw error;
    throw new SignalboxError(
      "PEER_MISSING",
      `The distributed host needs the package ${name}, which is not installed.`,
      "Install both of its packages: npm install @dbos-inc/dbos-sdk@5.3.0 pg",
      { cause: error },
    );
  }
}

function isModuleMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ERR_MODULE_NOT_FOUND";
}
