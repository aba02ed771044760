import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";

export const ROOT = resolve(import.meta.dirname, "../..");

/** Finds test files below `root` that carry a rule's id: any, or the given one. */
export function taggedFiles(root: string, id?: string): readonly string[] {
  const tag = id === undefined ? /\[[AKRPLCTU]-\d{2}\]/ : new RegExp(String.raw`\[${id}\]`);
  return testFiles(root).filter((file) => tag.test(readFileSync(join(root, file), "utf8")));
}

function testFiles(root: string): readonly string[] {
  return ["src", "test"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".test.ts"))
      .map((file) => join(folder, file))
      .sort(),
  );
}
