import type { MentionLine } from "./uses/mention.ts";

/** Words of a line with which a product reads all files of a folder. `global` is not `glob`. */
export const LISTING_WORDS: readonly string[] = [
  ...["readdir", "ReadDir", "read_dir", "opendir", "listdir", "scandir", "iterdir", "Dir["],
  ...["walk(", "Walk(", "walk_", "walkSync", "walkdir", "WalkDir", ".walk", "iter_modules"],
  ...["glob(", "Glob(", "glob.", "Glob.", "glob:", 'glob"', "glob'", "globSync", "globby", "Dir.glob"],
  ...["import.meta.glob", "require.context", "directory_iterator", "DirectoryIterator", "DirectoryStream"],
  ...["Files.list", "listFiles", "list_files", "EnumerateFiles", "GetFiles", "contentsOfDirectory"],
];

export function isListing({ text }: MentionLine): boolean {
  return LISTING_WORDS.some((word) => text.includes(word));
}

/**
 * Returns whether the file is in the folder of the source that contains the line, or below it. At the top only beside
 * it, unless the line reads folders.
 */
export function isBeside(path: string, { path: source, text }: MentionLine): boolean {
  const home = source.split("/").slice(0, -1).join("/");
  if (home !== "") return path.startsWith(`${home}/`);
  return !path.includes("/") || (LOOKS_INTO.test(text) && source !== "setup.py");
}

const LOOKS_INTO = /walk|rglob|recursive|\*\/|\/\*/i;
