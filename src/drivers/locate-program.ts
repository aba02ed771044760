import { extname } from "node:path";
import { fileURLToPath } from "node:url";

export type OwnProgram = { readonly file: string; readonly env: Readonly<Record<string, string>> };

/** Locates a program next to the given module, with the environment it needs. */
export function locateProgram(name: string, module: string): OwnProgram {
  // Sources run directly and the package contains built files, so the program has the same extension as the module.
  const ending = extname(module);
  const cache = fileURLToPath(new URL("../../node_modules/.cache/signalbox", import.meta.url));
  return {
    file: fileURLToPath(new URL(`./${name}${ending}`, module)),
    // Caches the compiled source: stripping its types at every start takes longer than the start.
    env: ending === ".ts" ? { NODE_COMPILE_CACHE: cache } : {},
  };
}
