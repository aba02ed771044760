import { isSource } from "../source-path.ts";

/** Returns whether a source with this text can detect which files surround it. False positives are preferred here. */
export function mayListFiles(text: string): boolean {
  return LOOKS.test(text);
}

const LOOKS = new RegExp(
  [
    /\b(?:node:)?(?:fs|child_process|module)\b(?:\/promises)?["'`]|\bgetBuiltinModule\b|\bimport\s*\(|\brequire\.resolve\b/,
    /\b(?:exists|access|l?stat|readFile|readdir|opendir|open|readlink|realpath|glob)(?:Sync)?\s*\(|\bimport\.meta\.(?:glob|resolve)\b/,
    /\b(?:pathlib|importlib|pkgutil|subprocess|glob)\b|\bos\.(?:path|stat|access|listdir|scandir|walk|open|system)\b|\b(?:find_spec|__import__|Path)\s*\(/,
    /\b(?:Deno|Bun)\.\w|\bfopen\b|\bifstream\b|\bfilesystem::|\bos\.(?:Stat|Open|ReadDir|ReadFile)\b|\bfilepath\.\w|\bstd::fs\b|\bDir\.\w|\bFile\.\w|\bFiles\.\w|\bnew File\b|\bfile_exists\b|\bis_(?:file|dir)\b/,
  ]
    .map(({ source }) => source)
    .join("|"),
);

/** Returns whether a line with a path imports the file as a module. A mere existence check does not. */
export function isImporting(text: string): boolean {
  return BRINGS.test(text);
}

const BRINGS =
  /^\s*(?:import\b(?!\.)|export\b[^"'`]*\bfrom\b|\}\s*from\b|from\s+[\w.]+\s+import\b|use\b|mod\b|#\s*include\b|require)|(?:[=(,:?]|\bawait|\breturn)\s*(?:require|import)\s*\(/;

/**
 * Matches sources that have no effect unless they are imported. In other languages a build includes every file that it
 * finds.
 */
export function needsImport(path: string): boolean {
  return !isSource(path) || /\.(?:[cm]?[jt]sx?|py)$/.test(path);
}
