import { mkdir, open, rename } from "node:fs/promises";
import { dirname, join, normalize } from "node:path";
import type { WriteRequest } from "../../core/effect.ts";
import { SignalboxError } from "../../core/errors.ts";
import type { PerformerParts } from "./performer.ts";

/** The copy of a rendered file that people can read while the run goes on: replaced whole, never half. */
export async function mirror(parts: PerformerParts, run: string, request: WriteRequest): Promise<{ hash: string }> {
  const relative = normalize(request.path);
  if (relative.startsWith("..") || relative.startsWith("/")) {
    throw new SignalboxError(
      "USAGE",
      `The path "${request.path}" leads out of the run's folder.`,
      "Write to a relative path below it.",
    );
  }
  const file = join(parts.runs, run, "artifacts", relative);
  await mkdir(dirname(file), { recursive: true });
  const fresh = `${file}.${parts.world.newId().slice(0, 8)}`;
  const handle = await open(fresh, "w", 0o600);
  try {
    await handle.writeFile(request.text);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(fresh, file);
  return { hash: parts.world.hash(request.text) };
}
