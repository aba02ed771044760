import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
/** Whoever wants to understand one thing reads so many files and no more. */
const MOST_FILES = 12;
const CONCEPTS = ["Approvals", "Budgets", "Retries", "Sandbox", "Drivers", "Checks"];

type Stop = { readonly file: string; readonly says: string };

const walks = readFileSync(join(ROOT, "docs/reading-the-code.md"), "utf8")
  .split(/^## /m)
  .slice(1)
  .map((text) => ({ name: text.split("\n")[0] ?? "", stops: stopsOf(text) }));

function stopsOf(text: string): readonly Stop[] {
  const items = text.matchAll(/^\d+\. `([^`]+)`:([\s\S]*?)(?=^\d+\. |^\S|\n\n|(?![\s\S]))/gm);
  return [...items].map(([, file = "", says = ""]) => ({ file, says }));
}

describe("the walks of docs/reading-the-code.md", () => {
  test("are those of a dispatch and of the six concepts", () => {
    expect(walks.map(({ name }) => name).toSorted()).toEqual(
      ["One dispatch, from verb to record", ...CONCEPTS].toSorted(),
    );
  });

  test.each(walks)("$name has at most twelve files, each once", ({ stops }) => {
    const files = stops.map(({ file }) => file);
    expect(files.length).toBeGreaterThan(3);
    expect(files.length).toBeLessThanOrEqual(MOST_FILES);
    expect(new Set(files).size).toBe(files.length);
  });

  test.each(walks)("$name leads to files that exist, and to names that stand in them", ({ stops }) => {
    const lost = stops.flatMap(({ file, says }) => {
      if (!existsSync(join(ROOT, file))) return [file];
      const code = readFileSync(join(ROOT, file), "utf8");
      const names = [...says.matchAll(/`([A-Za-z]+)`/g)].map(([, name = ""]) => name);
      return names.filter((name) => !new RegExp(`\\b${name}\\b`).test(code)).map((name) => `${file}: ${name}`);
    });
    expect(lost).toEqual([]);
  });
});
