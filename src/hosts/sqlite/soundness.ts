import { DatabaseSync } from "node:sqlite";
import { isDisks, storeFailure } from "./failure.ts";
import { openAside } from "./open-aside.ts";

/** `unseen`: what is wrong lies with the disk or another process, and says nothing about the database. */
export type Soundness =
  | { readonly is: "sound" }
  | { readonly is: "damaged"; readonly told: string }
  | { readonly is: "unseen"; readonly error: unknown };

/** Reads all of it, and changes nothing. */
export function soundnessOf(file: string): Soundness {
  let db: DatabaseSync | undefined;
  try {
    db = new DatabaseSync(file, { readOnly: true });
    return checked(db);
  } catch (error) {
    const failure = storeFailure(error, file);
    if (!isDisks(failure)) return codeOf(failure) === "DATABASE_DAMAGED" ? damagedBy(error) : { is: "unseen", error };
    return aside(file) ?? { is: "unseen", error: failure };
  } finally {
    db?.close();
  }
}

function aside(file: string): Soundness | undefined {
  const db = openAside(file, checked);
  try {
    return db && checked(db);
  } finally {
    db?.close();
  }
}

function checked(db: DatabaseSync): Soundness {
  const told = Object.values(db.prepare("PRAGMA quick_check(1)").get() ?? {})[0];
  return told === "ok" ? { is: "sound" } : { is: "damaged", told: String(told) };
}

function damagedBy(error: unknown): Soundness {
  return { is: "damaged", told: error instanceof Error ? error.message : String(error) };
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}
