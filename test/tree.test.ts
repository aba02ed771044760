import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
/** Limit of files in one folder: more files hide the structure. */
const MOST_FILES = 20;
/** Folders of uniform files: one file per command, named after the command. */
const PAGES = new Set(["cli/commands"]);
/** Each pipeline organizes its own files; its folder names say what they are for. */
const UNLISTED = /^(pipelines|drivers|hosts|surfaces)\/|\/(fixtures|suite|worlds|reporters)\b/;

/** Parses the folders of the drawing in AGENTS.md, as paths below src. */
function parseDrawnFolders(): string[] {
  const [, drawing = ""] = /```\nsrc\/\n([\s\S]*?)\ntest\//.exec(readFileSync(join(ROOT, "AGENTS.md"), "utf8")) ?? [];
  const path: string[] = [];
  return drawing.split("\n").map((line) => {
    const [, indent = "", name = ""] = /^( +)(\S+)\//.exec(line) ?? [];
    path.splice(indent.length / 2 - 1, Number.POSITIVE_INFINITY, name);
    return path.join("/");
  });
}

const folders = readdirSync(join(ROOT, "src"), { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map((entry) => join(entry.parentPath, entry.name).slice(join(ROOT, "src/").length));

describe("the folders of src", () => {
  test("match the drawing in AGENTS.md, in order of depth", () => {
    const listed = folders.filter((folder) => !UNLISTED.test(folder));
    expect(parseDrawnFolders().toSorted()).toEqual(listed.toSorted());
  });

  test("have at most twenty files each, not counting tests", () => {
    const full = folders
      .filter((folder) => !PAGES.has(folder))
      .map((folder) => ({ folder, files: listSources(folder) }))
      .filter(({ files }) => files > MOST_FILES);
    expect(full).toEqual([]);
  });
});

function listSources(folder: string): number {
  const names = readdirSync(join(ROOT, "src", folder));
  return names.filter((name) => name.endsWith(".ts") && !/\.(test|suite|fixture)\.ts$/.test(name)).length;
}
