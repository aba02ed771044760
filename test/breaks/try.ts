import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Break, Breaks } from "./break.ts";

const ROOT = new URL("../..", import.meta.url).pathname;
const COPIED = ["src", "test", "bin", "docs", "examples", "package.json", "vitest.config.ts", "tsconfig.json"];

/** `node test/breaks/try.ts R-02 …`: says for each rule whether its tests notice that it is gone. */
for (const id of process.argv.slice(2)) {
  const change = (await allBreaks())[id];
  console.log(`${id}: ${change ? verdict(id, change) : "no break is written for it"}`);
}

async function allBreaks(): Promise<Breaks> {
  const files = readdirSync(import.meta.dirname).filter((name) => !["break.ts", "try.ts"].includes(name));
  const parts = await Promise.all(files.map((name) => import(join(import.meta.dirname, name))));
  return Object.assign({}, ...parts.map((part) => part.breaks));
}

function verdict(id: string, { file, from, to }: Break): string {
  const dir = mkdtempSync(join(tmpdir(), "signalbox-break-"));
  try {
    for (const name of COPIED) cpSync(join(ROOT, name), join(dir, name), { recursive: true });
    symlinkSync(join(ROOT, "node_modules"), join(dir, "node_modules"));
    const text = readFileSync(join(dir, file), "utf8");
    if (text.split(from).length !== 2) return `${file} has the text ${text.split(from).length - 1} times, not once`;
    writeFileSync(
      join(dir, file),
      text.replace(from, () => to),
    );
    const tagged = spawnSync("grep", ["-rlF", `[${id}]`, "src", "test", "--include=*.test.ts"], { cwd: dir });
    const files = tagged.stdout.toString().split("\n").filter(Boolean);
    if (files.length === 0) return "no test carries its id";
    const vitest = join(ROOT, "node_modules/.bin/vitest");
    const ran = spawnSync(vitest, ["run", ...files, "-t", `\\[${id}\\]`, "--bail", "1"], { cwd: dir });
    return ran.status === 0 ? "NOT NOTICED: its tests still pass" : "noticed";
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}
