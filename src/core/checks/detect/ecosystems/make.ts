import { parseMakeTargets } from "../make-targets.ts";
import type { Ecosystem } from "./ecosystem.ts";

/** In make's own search order. */
const MAKEFILES = ["GNUmakefile", "makefile", "Makefile"];
export const RECIPES = ["build", "typecheck", "lint", "test", "check"];

export const make: Ecosystem = {
  name: "make",
  marks: MAKEFILES,
  programs: { make: ["apt install make"] },
  fills: true,
  find({ files }) {
    const from = MAKEFILES.find((name) => files.has(name)) ?? "";
    const targets = parseMakeTargets(files.get(from) ?? "");
    const known = RECIPES.filter((name) => targets.has(name));
    return { commands: known.map((name) => ({ name, run: `make ${name}`, from })) };
  },
};
