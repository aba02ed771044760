import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { DispatchOrder } from "../../../core/ports/driver.ts";
import type { ExecutorDeps } from "../executor.ts";
import type { AddedFiles } from "./added-files.ts";

/**
 * Stores the prompt next to the output of the agent, with the input files below it, so that a person can see what was
 * asked. Secrets are removed. An existing prompt stays: an engine that adopts a running attempt has not asked again.
 */
export async function storePrompt(
  { world }: ExecutorDeps,
  { spool, prompt }: DispatchOrder,
  { laid, from }: { readonly laid: AddedFiles | undefined; readonly from: string },
): Promise<void> {
  const file = join(spool, "prompt.md");
  if (existsSync(file)) return;
  const texts = await Promise.all(
    (laid?.input ?? []).map(async ({ path }) => `# ${path}\n\n${await readFile(join(from, path), "utf8")}`),
  );
  await writeFile(file, `${world.redact([prompt, ...texts].join("\n\n").trimEnd())}\n`, { mode: 0o600 });
}
