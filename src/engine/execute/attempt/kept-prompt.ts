import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { DispatchOrder } from "../../../core/ports/driver.ts";
import type { ExecutorParts } from "../executor.ts";

/**
 * Beside what the agent prints: whoever wonders at an answer reads first what was asked. Without secrets, like all of
 * it; and once, because who takes over an attempt that is under way has not asked it anew.
 */
export async function keepPrompt({ world }: ExecutorParts, { spool, prompt }: DispatchOrder): Promise<void> {
  const file = join(spool, "prompt.md");
  if (!existsSync(file)) await writeFile(file, `${world.redact(prompt)}\n`, { mode: 0o600 });
}
