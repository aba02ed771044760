import type { Finding } from "../../core/authoring/finding.ts";

/** A place in the repository that a finding refers to, with its line if known. */
export type FindingLocation = { readonly file: string; readonly line?: number };

/**
 * Lists the locations of a finding: its files, or the path at the end of its message. Paths outside the repository are
 * omitted.
 */
export function listLocations({ files = [], message }: Pick<Finding, "files" | "message">): readonly FindingLocation[] {
  const named = files.length > 0 ? files : [/\(([^\s()]{1,400})\)$/.exec(message)?.[1] ?? ""].filter(isPathLike);
  return named.flatMap((text) => parseLocation(text) ?? []);
}

/** Parses `src/a.ts`, `src/a.ts:88`, `src/a.ts:88:3`, `src/a.ts:88-90`, `src/a.ts#L88`. */
function parseLocation(text: string): FindingLocation | undefined {
  const [, path = "", line] = /^(.+?)(?::(\d{1,7})(?:[:-]\d{1,7})?|#L(\d{1,7}).*)?$/s.exec(text.trim()) ?? [];
  const file = path.replace(/^\.\//, "");
  if (!isInsideRepository(file)) return undefined;
  const number = Number(line ?? /#L(\d{1,7})/.exec(text)?.[1] ?? 0);
  return number > 0 ? { file, line: number } : { file };
}

function isInsideRepository(file: string): boolean {
  const parts = file.split("/");
  return file !== "" && !/[\p{Cc}\\]|^\/|^[a-z]+:/iu.test(file) && parts.every((part) => part !== ".." && part !== "");
}

const isPathLike = (text: string): boolean => /[\w-]\.\w{1,8}(?::\d+)?$/.test(text);

/** Returns the file of a test, whose name has the form `file › group › title`. */
export function findTestLocation(name: string): FindingLocation | undefined {
  const [file = "", ...rest] = name.split(" › ");
  return rest.length > 0 ? parseLocation(file) : undefined;
}
