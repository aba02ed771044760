import type { Finding } from "../../core/authoring/finding.ts";

/** Where in the repository a finding points; the line where somebody said one. */
export type Place = { readonly file: string; readonly line?: number };

/** Of its files, or of the path that its message ends with. What leads out of the repository is no place of it. */
export function placesOf({ files = [], message }: Pick<Finding, "files" | "message">): readonly Place[] {
  const named = files.length > 0 ? files : [/\(([^\s()]{1,400})\)$/.exec(message)?.[1] ?? ""].filter(isPathLike);
  return named.flatMap((text) => placeIn(text) ?? []);
}

/** `src/a.ts`, `src/a.ts:88`, `src/a.ts:88:3`, `src/a.ts:88-90`, `src/a.ts#L88`. */
function placeIn(text: string): Place | undefined {
  const [, path = "", line] = /^(.+?)(?::(\d{1,7})(?:[:-]\d{1,7})?|#L(\d{1,7}).*)?$/s.exec(text.trim()) ?? [];
  const file = path.replace(/^\.\//, "");
  if (!isInside(file)) return undefined;
  const number = Number(line ?? /#L(\d{1,7})/.exec(text)?.[1] ?? 0);
  return number > 0 ? { file, line: number } : { file };
}

function isInside(file: string): boolean {
  const parts = file.split("/");
  return file !== "" && !/[\p{Cc}\\]|^\/|^[a-z]+:/iu.test(file) && parts.every((part) => part !== ".." && part !== "");
}

const isPathLike = (text: string): boolean => /[\w-]\.\w{1,8}(?::\d+)?$/.test(text);

/** A test's name begins with its file: `file › group › title`. */
export function placeOfTest(name: string): Place | undefined {
  const [file = "", ...rest] = name.split(" › ");
  return rest.length > 0 ? placeIn(file) : undefined;
}
