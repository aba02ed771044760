import { isSource } from "../source-path.ts";

/** Can a source with this text find out which files lie around it? Too much is better here than too little. */
export function looksAround(text: string): boolean {
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

/** Does a line with a path bring the file in as a module? What only looks whether it is there does not. */
export function bringsIn(text: string): boolean {
  return BRINGS.test(text);
}

const BRINGS =
  /^\s*(?:import\b(?!\.)|export\b[^"'`]*\bfrom\b|\}\s*from\b|from\s+[\w.]+\s+import\b|use\b|mod\b|#\s*include\b|require)|(?:[=(,:?]|\bawait|\breturn)\s*(?:require|import)\s*\(/;

/** Sources that are nothing to a program unless something imports them; of others a build takes in all that it finds. */
export function needsImport(path: string): boolean {
  return !isSource(path) || /\.(?:[cm]?[jt]sx?|py)$/.test(path);
}
