import { extname } from "node:path";
import { fileURLToPath } from "node:url";

export type OwnProgram = { readonly file: string; readonly env: Readonly<Record<string, string>> };

/** A program of ours that lies beside the given module, and what it wants in its environment. */
export function ownProgram(name: string, module: string): OwnProgram {
  // Sources run as they are and the package holds their built form: the program has the ending that the module has.
  const ending = extname(module);
  const cache = fileURLToPath(new URL("../../node_modules/.cache/signalbox", import.meta.url));
  return {
    file: fileURLToPath(new URL(`./${name}${ending}`, module)),
    // A source file is stripped of its types at every start, which takes longer than the start itself unless it is kept.
    env: ending === ".ts" ? { NODE_COMPILE_CACHE: cache } : {},
  };
}
