import { type Ecosystem, findMark, toCommands } from "./ecosystem.ts";
import { fetchNpmTool } from "./npm-tool.ts";
import { parsePackageFile } from "./package-file.ts";

const MARKS = ["deno.json", "deno.jsonc"];
const TEST_FILE = /(?:^|[/_.])test\.[jt]sx?$/;

export const deno: Ecosystem = {
  name: "deno",
  marks: MARKS,
  programs: { deno: ["npm install -g deno", "https://docs.deno.com/runtime/getting_started/installation"] },
  find({ files, names, paths, missing }) {
    const from = findMark({ marks: MARKS }, names) ?? "deno.json";
    const { before, fetch } = fetchNpmTool(missing.has("deno") ? "deno" : undefined);
    const tasks = parsePackageFile(files.get(from))?.tasks ?? {};
    const task = (name: string): string | undefined =>
      Object.hasOwn(tasks, name) ? `${before}deno task ${name}` : undefined;
    const isTested = paths.some((path) => TEST_FILE.test(path));
    return {
      commands: toCommands(from, {
        build: task("build"),
        typecheck: task("check") ?? task("typecheck"),
        lint: task("lint"),
        test: task("test") ?? (isTested && `${before}deno test`),
      }),
      setup: { run: `${fetch}${before}deno install`, from },
    };
  },
};
