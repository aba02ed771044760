import { SignalboxError } from "../../core/failure/errors.ts";

/** SQLite's primary result codes; an extended code carries its primary one in the low byte. */
const BUSY = 5;
const READONLY = 8;
const IOERR = 10;
const CORRUPT = 11;
const FULL = 13;
const CANTOPEN = 14;
const NOTADB = 26;

/** What an error of SQLite means for who uses the file; any other error is given back as it is. */
export function storeFailure(error: unknown, file: string): unknown {
  const code = primary(error);
  if (code === undefined || !(error instanceof Error)) return error;
  const told = `${file}: ${error.message}`;
  switch (code) {
    case IOERR:
    case FULL:
    case READONLY:
      return new SignalboxError(
        "DISK_FAILED",
        `The database could not be written. ${told}.`,
        "Nothing is lost that was reported as stored. Free space or repair the disk, then `signalbox resume`.",
        { cause: error },
      );
    case CORRUPT:
    case NOTADB:
      return damaged(told, error);
    case BUSY:
      return unreachable(`Another process kept the database locked. ${told}.`, error);
    case CANTOPEN:
      return unreachable(`The database could not be opened. ${told}.`, error);
    default:
      return error;
  }
}

/** Reads, and tells a failure of SQLite as what it means. */
export function readFrom(file: string): <T>(look: () => T) => T {
  return (look) => {
    try {
      return look();
    } catch (error) {
      throw storeFailure(error, file);
    }
  };
}

/** After one of these nobody can say what is on the disk: the file must not be written to again. */
export function isFatal(error: unknown): error is SignalboxError {
  return error instanceof SignalboxError && (error.code === "DISK_FAILED" || error.code === "DATABASE_DAMAGED");
}

/** Nothing is wrong with the database, but with where it lies. */
export function isDisks(error: unknown): boolean {
  if (!(error instanceof SignalboxError)) return false;
  return error.code === "DISK_FAILED" || (error.code === "DATABASE_UNREACHABLE" && !isLocked(error));
}

/** Somebody else holds the write lock: nothing was done, and it may work later. */
export function isLocked(error: unknown): boolean {
  return error instanceof SignalboxError && error.code === "DATABASE_UNREACHABLE" && primary(error.cause) === BUSY;
}

export function damaged(told: string, cause?: unknown): SignalboxError {
  return new SignalboxError(
    "DATABASE_DAMAGED",
    `The database is damaged or is not one of Signalbox. ${told}.`,
    "Nothing was changed. Put a copy of the file aside, then restore a backup or recover it with `sqlite3 FILE .recover`.",
    { cause },
  );
}

function unreachable(message: string, cause: unknown): SignalboxError {
  const hint = "Nothing was stored. Check the folder's permissions and what else uses the file, then try again.";
  return new SignalboxError("DATABASE_UNREACHABLE", message, hint, { cause });
}

function primary(error: unknown): number | undefined {
  if (!(error instanceof Error) || !("errcode" in error) || typeof error.errcode !== "number") return undefined;
  return error.errcode & 0xff;
}
