import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const read = (path: string): string => readFileSync(`${ROOT}${path}`, "utf8");
const HEADING = "## What runs, when, and after whose yes";

/** Starts a program or a thread, or loads code from outside the program. */
const STARTS = /["']node:(?:child_process|cluster|worker_threads)["']|\bprocesses\.start\(|\bimport\((?!["'])/;
/** Ports start nothing, and test code is not shipped. */
const NOT_MEANT = /\.(?:test|suite|fixture)\.ts$|\/fixtures\/|^src\/core\//;

function parseRows(): readonly (readonly string[])[] {
  const section = read("docs/guides/sandbox.md").split(HEADING)[1]?.split("\n## ")[0] ?? "";
  const lines = section.split("\n").filter((line) => line.startsWith("| "));
  return lines.slice(1).map((line) =>
    line
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

describe("the table of executed code", () => {
  test("lists exactly the places in the sources that start or load something", () => {
    const places = globSync("src/**/*.ts", { cwd: ROOT })
      .filter((path) => !NOT_MEANT.test(path) && STARTS.test(read(path)))
      .toSorted();
    const named = parseRows().flatMap(([, , , , where = ""]) =>
      [...where.matchAll(/`([^`]+)`/g)].map(([, path]) => path),
    );
    expect([...new Set(named)].toSorted()).toEqual(places);
  });

  test("has the code, its time, its confinement, its trust and its location in each row", () => {
    expect(parseRows().length).toBeGreaterThan(5);
    for (const row of parseRows()) expect(row.filter((cell) => cell !== "")).toHaveLength(5);
  });

  test("is in one place, and other pages link to it", () => {
    const anchor = "sandbox.md#what-runs-when-and-after-whose-yes";
    for (const page of ["SECURITY.md", "docs/reference/configuration.md"]) expect(read(page)).toContain(anchor);
    for (const page of [
      "SECURITY.md",
      "docs/reference/configuration.md",
      "docs/guides/sandbox.md",
      "docs/reference/cli.md",
      "README.md",
    ])
      expect(read(page)).not.toMatch(/needs? no yes\. `commands/);
  });
});
