import { watch } from "node:fs";
import { link, mkdir, readdir, readFile, rename, rm, stat, unlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { z } from "zod";
import { type Listed, type Mailbox, PostedDispatch, Reply } from "../../core/ports/mailbox.ts";

/** A taker that has said nothing for so long is taken to be gone. */
const TAKEN_FOR_MS = 30 * 60_000;
const KEPT_FOR_MS = 24 * 60 * 60_000;
/** Watching can miss a change on some file systems; looking again cannot. */
const LOOK_AGAIN_MS = 500;

type Options = { readonly dir: string; readonly now: () => number };

/** One folder per dispatch, with the files `dispatch.json`, `taken.json` and `reply.json`, each written whole. */
export function folderMailbox({ dir, now }: Options): Mailbox {
  const at = (id: string, file = "") => join(dir, safe(id), file);
  const reply: Mailbox["reply"] = (id) => readJson(at(id, "reply.json"), Reply);
  const takenBy = async (id: string): Promise<string | null> => {
    const file = at(id, "taken.json");
    const found = await stat(file).catch(() => undefined);
    if (!found || now() - found.mtimeMs > TAKEN_FOR_MS) return null;
    return (await readFile(file, "utf8").catch(() => null)) || null;
  };
  const take: Mailbox["take"] = async (id, by) => {
    const dispatch = await readJson(at(id, "dispatch.json"), PostedDispatch);
    if (!dispatch || (await reply(id))) return undefined;
    const holder = await takenBy(id);
    if (holder !== null) return holder === by ? dispatch : undefined;
    await rm(at(id, "taken.json"), { force: true });
    return (await onlyOnce(at(id, "taken.json"), by)) ? dispatch : undefined;
  };
  return {
    reply,
    take,
    async post(dispatch) {
      await sweep();
      await mkdir(at(dispatch.id), { recursive: true, mode: 0o700 });
      await whole(at(dispatch.id, "dispatch.json"), JSON.stringify(dispatch));
    },
    async replied(id, signal) {
      for (;;) {
        const found = await reply(id);
        if (found || signal.aborted) return found;
        await changed(at(id), signal);
      }
    },
    withdraw: (id) => rm(at(id), { recursive: true, force: true }),
    async list() {
      const ids = await readdir(dir).catch(() => []);
      const rows = await Promise.all(ids.map((id) => rowOf(id)));
      return rows
        .filter((row) => row !== undefined)
        .sort((a, b) => a.at - b.at)
        .map(({ row }) => row);
    },
    async answer(id, given) {
      if (!(await take(id, given.by))) return false;
      return onlyOnce(at(id, "reply.json"), JSON.stringify(given));
    },
  };

  /** A reply is kept for an engine that died before it read it; after a day nobody comes back for it. */
  async function sweep(): Promise<void> {
    for (const id of await readdir(dir).catch(() => [])) {
      const replied = await stat(at(id, "reply.json")).catch(() => undefined);
      if (replied && now() - replied.mtimeMs > KEPT_FOR_MS) await rm(at(id), { recursive: true, force: true });
    }
  }

  async function rowOf(id: string): Promise<{ readonly at: number; readonly row: Listed } | undefined> {
    const dispatch = await readJson(at(id, "dispatch.json"), PostedDispatch);
    if (!dispatch || (await reply(id))) return undefined;
    const { mtimeMs } = await stat(at(id, "dispatch.json"));
    return { at: mtimeMs, row: { ...dispatch, takenBy: await takenBy(id) } };
  }
}

/** Ids come from outside too: never a path. */
const safe = (id: string): string => id.replace(/[^\w-]/g, "_");

async function readJson<T>(file: string, schema: z.ZodType<T>): Promise<T | undefined> {
  const text = await readFile(file, "utf8").catch(() => undefined);
  return text === undefined ? undefined : schema.parse(JSON.parse(text));
}

async function whole(file: string, text: string): Promise<void> {
  await writeFile(`${file}.new`, text, { mode: 0o600 });
  await rename(`${file}.new`, file);
}

/** Whole and at most once: a link, unlike a rename, fails where something is there already. */
async function onlyOnce(file: string, text: string): Promise<boolean> {
  const fresh = `${file}.${process.pid}-${process.hrtime.bigint()}`;
  await writeFile(fresh, text, { mode: 0o600 });
  try {
    await link(fresh, file);
    return true;
  } catch {
    return false;
  } finally {
    await unlink(fresh).catch(() => undefined);
  }
}

function changed(dir: string, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      watcher?.close();
      signal.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, LOOK_AGAIN_MS);
    let watcher: ReturnType<typeof watch> | undefined;
    try {
      watcher = watch(dir, done).on("error", done);
    } catch {
      // The folder is gone or cannot be watched: then looking again has to do.
    }
    signal.addEventListener("abort", done, { once: true });
  });
}
