import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { DispatchOrder } from "../../../core/ports/driver.ts";
import type { ExecutorParts } from "../executor.ts";
import type { LaidFiles } from "./laid-files.ts";

/**
 * Beside what the agent prints: whoever wonders at an answer reads first what was asked, with the parts that lay in the
 * agent's folder below it. Without secrets, like all of it; and once, because who takes over an attempt that is under way
 * has not asked it anew.
 */
export async function keepPrompt(
  { world }: ExecutorParts,
  { spool, prompt }: DispatchOrder,
  { laid, from }: { readonly laid: LaidFiles | undefined; readonly from: string },
): Promise<void> {
  const file = join(spool, "prompt.md");
  if (existsSync(file)) return;
  const texts = await Promise.all(
    (laid?.input ?? []).map(async ({ path }) => `# ${path}\n\n${await readFile(join(from, path), "utf8")}`),
  );
  await writeFile(file, `${world.redact([prompt, ...texts].join("\n\n").trimEnd())}\n`, { mode: 0o600 });
}
