import { createReadStream } from "node:fs";
import { open, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { createRedactor, createRedactStream } from "./redactor.ts";

const AT_ONCE_BYTES = 1024 * 1024;

/** Creates a function that redacts files, in chunks if they are large. Files without secrets are not rewritten. */
export function createFileScrubber(env: NodeJS.ProcessEnv = process.env): (file: string) => Promise<void> {
  const redact = createRedactor(env);
  return async (file) => {
    const fresh = `${file}.clean`;
    try {
      const { size } = await stat(file);
      const dirty = size <= AT_ONCE_BYTES ? await scrubSmall(file, fresh, redact) : await scrubLarge(file, fresh, env);
      await (dirty ? rename(fresh, file) : rm(fresh, { force: true }));
    } catch {
      // A full disk must not fail the attempt, and unredacted files must not remain, so the file is deleted.
      await Promise.all([rm(fresh, { force: true }), rm(file, { force: true })]);
    }
  };
}

async function scrubSmall(file: string, fresh: string, redact: (text: string) => string): Promise<boolean> {
  const text = await readFile(file, "utf8");
  const clean = redact(text);
  if (clean === text) return false;
  await writeFile(fresh, clean, { mode: 0o600 });
  return true;
}

async function scrubLarge(file: string, fresh: string, env: NodeJS.ProcessEnv): Promise<boolean> {
  const stream = createRedactStream(env);
  const out = await open(fresh, "w", 0o600);
  // Output lags behind input, so they are compared up to the point that both have reached.
  let pending = "";
  let dirty = false;
  const take = async (clean: string): Promise<void> => {
    dirty ||= !pending.startsWith(clean);
    pending = dirty ? "" : pending.slice(clean.length);
    await out.writeFile(clean);
  };
  try {
    for await (const chunk of createReadStream(file, { encoding: "utf8", highWaterMark: AT_ONCE_BYTES })) {
      if (!dirty) pending += String(chunk);
      await take(stream.push(String(chunk)));
    }
    await take(stream.end());
    return dirty;
  } finally {
    await out.close();
  }
}
