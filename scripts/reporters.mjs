// Puts the reporters, which run as they are inside other programs, beside the built program that hands them out.
import { cpSync, rmSync } from "node:fs";
import { fileURLToPath } from "node:url";

const folder = process.argv[2] ?? fileURLToPath(new URL("../dist/engine/execute/checks/reporters", import.meta.url));
rmSync(folder, { recursive: true, force: true });
cpSync(fileURLToPath(new URL("../src/engine/execute/checks/reporters", import.meta.url)), folder, {
  recursive: true,
  filter: (path) => !path.endsWith("__pycache__"),
});
console.log(`reporters in ${folder}`);
