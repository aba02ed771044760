import { SignalboxError } from "./errors.ts";

/**
 * Converts an error of the operating system into one with a fix; undefined for any other error. `where` names the
 * location for failed writes, which do not contain it.
 */
export function toMachineError(
  error: unknown,
  where = "a file of the cache or the repository",
): SignalboxError | undefined {
  if (error instanceof SignalboxError || !(error instanceof Error) || !("code" in error)) return undefined;
  const told = KINDS.find(({ codes }) => codes.includes(String(error.code)));
  return told && createMachineError(told, { what: getErrorPath(error) ?? where, cause: error });
}

/** Converts the output of another program that failed with such an error. */
export function parseMachineError(said: string, where: string): SignalboxError | undefined {
  const told = KINDS.find(({ words }) => words?.test(said));
  return told && createMachineError(told, { what: where, said: said.trim() });
}

/** Converts the error for a missing file that Signalbox created and needs. */
export function toMissingFileError(error: unknown): SignalboxError | undefined {
  if (!(error instanceof Error) || !("code" in error) || error.code !== "ENOENT") return undefined;
  return createMissingFileError(getErrorPath(error) ?? "A file", error);
}

export function createMissingFileError(path: string, cause?: unknown): SignalboxError {
  return new SignalboxError(
    "DISK_FAILED",
    `${path} was removed while it was in use.`,
    `No recorded data is lost, and missing files are created again: ${RESUME}.`,
    { cause },
  );
}

type MachineErrorKind = {
  readonly codes: readonly string[];
  readonly words?: RegExp;
  readonly code: "DISK_FAILED" | "TOO_MANY_FILES";
  readonly happened: (what: string) => string;
  readonly cure: string;
};

const RESUME = "run `signalbox resume`";

const KINDS: readonly MachineErrorKind[] = [
  {
    codes: ["ENOSPC", "EDQUOT"],
    words: /No space left on device|Disk quota exceeded/,
    code: "DISK_FAILED",
    happened: (what) => `No space is left on the disk for ${what}`,
    cure: `Free space there, or set XDG_CACHE_HOME to another folder if it is the cache; then ${RESUME}.`,
  },
  {
    codes: ["EROFS"],
    words: /Read-only file system/,
    code: "DISK_FAILED",
    happened: (what) => `${what} is on a read-only disk`,
    cure: `Make it writable, or set XDG_CACHE_HOME to another folder if it is the cache; then ${RESUME}.`,
  },
  {
    codes: ["EACCES", "EPERM"],
    words: /[Pp]ermission denied|insufficient permission/,
    code: "DISK_FAILED",
    happened: (what) => `This user has no permission to use ${what}`,
    cure: `Check its owner and permissions (\`ls -ld\`) and correct them; then ${RESUME}.`,
  },
  {
    codes: ["EIO", "EFBIG"],
    words: /Input\/output error|File too large/,
    code: "DISK_FAILED",
    happened: (what) => `The disk or a file size limit rejected ${what}`,
    cure: `Check the disk and \`ulimit -f\`; then ${RESUME}.`,
  },
  {
    codes: ["EMFILE", "ENFILE"],
    words: /Too many open files/,
    code: "TOO_MANY_FILES",
    happened: (what) => `Cannot open ${what}: the limit of open files is reached`,
    cure: `Raise it (\`ulimit -n 1024\`) and try again; \`signalbox resume\` continues a run that was stopped by it.`,
  },
];

type FailureDetails = { readonly what: string; readonly said?: string; readonly cause?: unknown };

function createMachineError(
  { code, happened, cure }: MachineErrorKind,
  { what, said, cause }: FailureDetails,
): SignalboxError {
  const words = said ?? (cause instanceof Error ? cause.message : "");
  return new SignalboxError(code, `${happened(what)} (${words}).`, cure, { cause });
}

function getErrorPath(error: Error): string | undefined {
  return "path" in error && typeof error.path === "string" ? error.path : undefined;
}
