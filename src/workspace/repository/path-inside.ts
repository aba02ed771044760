import { lstat, realpath } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import { SignalboxError } from "../../core/failure/errors.ts";
import { isWithin } from "../../node/containment.ts";

/** The path as git would store it; undefined if it could lead out of the repository or into its git directory. */
export function normalizePath(path: string): string | undefined {
  const parts = path.split("/").filter((part) => part !== "" && part !== ".");
  if (path.startsWith("/") || path.includes("\0") || parts.length === 0) return undefined;
  return parts.some((part) => part === ".." || isGitName(part)) ? undefined : parts.join("/");
}

export function requirePathInside(path: string): string {
  const inside = normalizePath(path);
  if (inside !== undefined) return inside;
  throw new SignalboxError(
    "INPUT_INVALID",
    `"${path}" is not a path inside the repository`,
    "Use a path relative to the repository's top folder, without `..` and outside .git.",
  );
}

/** Names that git treats as its own directory on any file system. */
export function isGitName(part: string): boolean {
  return /^(\.git|git~1)[ .]*$/i.test(part);
}

/** Returns the real path with links in its parents followed; undefined if it is outside `top` or cannot exist. */
export async function resolveInsideTop(top: string, path: string): Promise<string | undefined> {
  const parent = await findExistingParent(join(top, path));
  const real = parent === undefined ? undefined : await realpath(parent).catch(() => undefined);
  if (parent === undefined || real === undefined) return undefined;
  if (!isWithin(real, top) || relative(top, real).split(sep).some(isGitName)) return undefined;
  return join(real, join(top, path).slice(parent.length));
}

async function findExistingParent(path: string): Promise<string | undefined> {
  const parent = dirname(path);
  // Not followed: a dangling link exists and must not be skipped.
  const found = await lstat(parent).catch(() => undefined);
  if (found === undefined) return parent === path ? undefined : findExistingParent(parent);
  return parent;
}
