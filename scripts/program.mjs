// Builds the program as users get it into a folder of its own, for tests that start it by the thousand: from sources it
// takes twice as long to start. Does nothing where the last one was made from the same files.
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { digest } from "./digest.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const out = join(root, "node_modules/.cache/signalbox/program");
const stamp = join(out, "made-from");
/** Types are the business of `npm run check`. */
const EMIT = ["--noCheck", "--declaration", "false"];
/** What the program reads beside its own code. */
const BESIDE = ["bin", "package.json", "src/pipelines", "examples/starters"];

const made = digest([...BESIDE, "src", "scripts", "package-lock.json", "tsconfig.json", "tsconfig.build.json"]);
if (!existsSync(stamp) || readFileSync(stamp, "utf8") !== made) {
  build();
  writeFileSync(stamp, made);
}

function build() {
  const dist = join(out, "dist");
  rmSync(out, { recursive: true, force: true });
  run(["node_modules/typescript/bin/tsc", "-p", "tsconfig.build.json", ...EMIT, "--outDir", dist]);
  run(["scripts/bundle.mjs", dist]);
  run(["scripts/reporters.mjs", join(dist, "engine/execute/checks/reporters")]);
  for (const path of BESIDE) {
    mkdirSync(dirname(join(out, path)), { recursive: true });
    cpSync(join(root, path), join(out, path), { recursive: true, filter: (file) => !file.endsWith(".test.ts") });
  }
  symlinkSync(join(root, "dist/web"), join(dist, "web"));
}

function run(args) {
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: ["ignore", "ignore", "inherit"] });
  if (status !== 0) throw new Error(`${args[0]} left with ${status}: see its message above.`);
}
