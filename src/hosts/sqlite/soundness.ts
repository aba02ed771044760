import { DatabaseSync } from "node:sqlite";
import { isDiskProblem, toStoreError } from "./failure.ts";
import { openReadOnly } from "./open-read-only.ts";

/** `unseen`: the disk or another process prevented the check. */
export type Soundness =
  | { readonly is: "sound" }
  | { readonly is: "damaged"; readonly told: string }
  | { readonly is: "unseen"; readonly error: unknown };

/** Checks the whole file without changing it. */
export function checkSoundness(file: string): Soundness {
  let db: DatabaseSync | undefined;
  try {
    db = new DatabaseSync(file, { readOnly: true });
    return runQuickCheck(db);
  } catch (error) {
    const failure = toStoreError(error, file);
    if (!isDiskProblem(failure))
      return readErrorCode(failure) === "DATABASE_DAMAGED" ? toDamaged(error) : { is: "unseen", error };
    return checkReadOnly(file) ?? { is: "unseen", error: failure };
  } finally {
    db?.close();
  }
}

function checkReadOnly(file: string): Soundness | undefined {
  const db = openReadOnly(file, runQuickCheck);
  try {
    return db && runQuickCheck(db);
  } finally {
    db?.close();
  }
}

function runQuickCheck(db: DatabaseSync): Soundness {
  const result = Object.values(db.prepare("PRAGMA quick_check(1)").get() ?? {})[0];
  return result === "ok" ? { is: "sound" } : { is: "damaged", told: String(result) };
}

function toDamaged(error: unknown): Soundness {
  return { is: "damaged", told: error instanceof Error ? error.message : String(error) };
}

function readErrorCode(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}
