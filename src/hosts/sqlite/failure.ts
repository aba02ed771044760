import { SignalboxError } from "../../core/failure/errors.ts";

/** SQLite's primary result codes. An extended code contains its primary code in the low byte. */
const BUSY = 5;
const READONLY = 8;
const IOERR = 10;
const CORRUPT = 11;
const FULL = 13;
const CANTOPEN = 14;
const NOTADB = 26;

/** Translates a SQLite error into an error for the user; returns other errors unchanged. */
export function toStoreError(error: unknown, file: string): unknown {
  const code = getPrimaryCode(error);
  if (code === undefined || !(error instanceof Error)) return error;
  const detail = `${file}: ${error.message}`;
  switch (code) {
    case IOERR:
    case FULL:
    case READONLY:
      return new SignalboxError(
        "DISK_FAILED",
        `Could not write the database. ${detail}.`,
        "Everything reported as stored is safe. Free space or repair the disk, then run `signalbox resume`.",
        { cause: error },
      );
    case CORRUPT:
    case NOTADB:
      return createDamagedError(detail, error);
    case BUSY:
      return createUnopenableError(`Another process kept the database locked. ${detail}.`, error);
    case CANTOPEN:
      return createUnopenableError(`Could not open the database. ${detail}.`, error);
    default:
      return error;
  }
}

/** Wraps reads so that SQLite errors are translated. */
export function createStoreReader(file: string): <T>(look: () => T) => T {
  return (look) => {
    try {
      return look();
    } catch (error) {
      throw toStoreError(error, file);
    }
  };
}

/** After such an error the content of the disk is unknown, so the file must not be written again. */
export function isFatal(error: unknown): error is SignalboxError {
  return error instanceof SignalboxError && (error.code === "DISK_FAILED" || error.code === "DATABASE_DAMAGED");
}

/** The problem is the disk or its permissions, not the database. */
export function isDiskProblem(error: unknown): boolean {
  if (!(error instanceof SignalboxError)) return false;
  return error.code === "DISK_FAILED" || (error.code === "DATABASE_UNREACHABLE" && !isDatabaseLocked(error));
}

/** Another connection holds the write lock. Nothing was done, and a retry may succeed. */
export function isDatabaseLocked(error: unknown): boolean {
  return (
    error instanceof SignalboxError && error.code === "DATABASE_UNREACHABLE" && getPrimaryCode(error.cause) === BUSY
  );
}

export function createDamagedError(detail: string, cause?: unknown): SignalboxError {
  return new SignalboxError(
    "DATABASE_DAMAGED",
    `The database is damaged or was not created by Signalbox. ${detail}.`,
    "Nothing was changed. Copy the file, then restore a backup or recover it with `sqlite3 FILE .recover`.",
    { cause },
  );
}

function createUnopenableError(message: string, cause: unknown): SignalboxError {
  const hint = "Nothing was stored. Check the folder's permissions and which programs use the file, then try again.";
  return new SignalboxError("DATABASE_UNREACHABLE", message, hint, { cause });
}

function getPrimaryCode(error: unknown): number | undefined {
  if (!(error instanceof Error) || !("errcode" in error) || typeof error.errcode !== "number") return undefined;
  return error.errcode & 0xff;
}
