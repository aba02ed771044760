import type { Ecosystem } from "./ecosystem.ts";
import { RECIPES } from "./make.ts";

const JUSTFILES = ["justfile", "Justfile", ".justfile"];

export const just: Ecosystem = {
  name: "just",
  marks: JUSTFILES,
  programs: { just: ["https://just.systems"] },
  fills: true,
  find({ files }) {
    const from = JUSTFILES.find((name) => files.has(name)) ?? "";
    const recipes = parseRecipes(files.get(from) ?? "");
    const known = RECIPES.filter((name) => recipes.has(name));
    return { commands: known.map((name) => ({ name, run: `just ${name}`, from })) };
  },
};

/** Finds recipes without required arguments: `test:`, `@test *args:`, `lint fix="": deps`. */
function parseRecipes(text: string): ReadonlySet<string> {
  const heads = text.matchAll(/^@?([A-Za-z_][\w-]*)((?:[ \t]+[^:\n]*)?):(?!=)/gm);
  const plain = [...heads].filter(([, , parameters = ""]) => isFree(parameters));
  return new Set(plain.map(([, name = ""]) => name));
}

function isFree(parameters: string): boolean {
  const words = parameters.trim().split(/\s+/).filter(Boolean);
  return words.every((word) => word.startsWith("*") || word.includes("="));
}
