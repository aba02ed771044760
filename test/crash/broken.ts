import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

export type Mutant = { readonly what: string; readonly file: string; readonly from: string; readonly to: string };

/** Creates a copy of the sources with one line made permissive. A useful suite must notice it. */
export function brokenSources(change: Mutant): { readonly dir: string; readonly src: string; remove(): void } {
  const dir = mkdtempSync(join(tmpdir(), "signalbox-broken-"));
  for (const part of ["src", "test/support", "test/simulator"]) {
    cpSync(join(ROOT, part), join(dir, part), { recursive: true });
  }
  cpSync(join(ROOT, "package.json"), join(dir, "package.json"));
  symlinkSync(join(ROOT, "node_modules"), join(dir, "node_modules"));
  const file = join(dir, "src", change.file);
  const text = readFileSync(file, "utf8");
  if (text.split(change.from).length !== 2)
    throw new Error(`${change.file} does not have exactly one "${change.from}"`);
  writeFileSync(file, text.replace(change.from, change.to));
  return { dir, src: join(dir, "src"), remove: () => rmSync(dir, { recursive: true, force: true }) };
}
