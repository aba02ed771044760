// Writes the JSON Schemas of the pipelines' artifacts beside the built program, where the package exports them.
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { schemaFiles } from "../src/pipelines/artifacts.ts";

const folder = process.argv[2] ?? fileURLToPath(new URL("../dist/schemas", import.meta.url));
rmSync(folder, { recursive: true, force: true });
for (const { file, schema } of schemaFiles()) {
  const path = join(folder, file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `${JSON.stringify(schema, null, 2)}\n`);
}
console.log(`${schemaFiles().length} schemas in ${folder}`);
