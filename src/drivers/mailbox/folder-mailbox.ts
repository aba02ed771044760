import { watch } from "node:fs";
import { link, lstat, readdir, rename, rm, unlink, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { AnswerVerdict, type Mailbox, type MailboxEntry, PostedDispatch, Reply } from "../../core/ports/mailbox.ts";
import { readOutside, readOutsideJson } from "../../node/outside-file.ts";
import { makeOwnFolder } from "../../node/own-folder.ts";
import { removeFolder } from "../../node/remove-folder.ts";

/** A taker that has said nothing for so long is taken to be gone. */
const TAKEN_FOR_MS = 30 * 60_000;
const KEPT_FOR_MS = 24 * 60 * 60_000;
/** Who writes a reply in place is given so long to finish it. */
const HALF_WRITTEN_MS = 10_000;
/** More than any agent says. */
const MOST_BYTES = 16 * 1024 * 1024;
/** Watching can miss a change on some file systems; looking again cannot. */
const LOOK_AGAIN_MS = 500;

type Options = { readonly dir: string; readonly now: () => number };

/**
 * One folder per dispatch, with the files `dispatch.json`, `taken.json`, `reply.json` and, once an answer was judged,
 * `verdict.json`, each written whole.
 */
export function folderMailbox({ dir, now }: Options): Mailbox {
  const at = (id: string, file = "") => join(dir, safe(id), file);
  const withdraw = (id: string) => removeFolder(at(id));
  const dispatchOf = async (id: string) => {
    const read = readJson(at(id, "dispatch.json"), PostedDispatch);
    return read && "value" in read ? read.value : undefined;
  };
  const reply: Mailbox["reply"] = async (id) => {
    const read = readJson(at(id, "reply.json"), Reply);
    if (!read || "value" in read) return read?.value;
    const { mtimeMs } = (await lstat(at(id, "reply.json")).catch(() => undefined)) ?? { mtimeMs: now() };
    return now() - mtimeMs < HALF_WRITTEN_MS ? undefined : { by: "", unreadable: read.problem };
  };
  const takenBy = async (id: string): Promise<string | null> => {
    const file = at(id, "taken.json");
    const found = await lstat(file).catch(() => undefined);
    if (!found || now() - found.mtimeMs > TAKEN_FOR_MS) return null;
    const read = readOutside(file, MOST_BYTES);
    return read.ok ? read.text || null : null;
  };
  const take: Mailbox["take"] = async (id, by) => {
    const dispatch = await dispatchOf(id);
    if (!dispatch || (await reply(id))) return undefined;
    const holder = await takenBy(id);
    if (holder !== null) return holder === by ? dispatch : undefined;
    await rm(at(id, "taken.json"), { force: true });
    return (await onlyOnce(at(id, "taken.json"), by)) ? dispatch : undefined;
  };
  const verdict: Mailbox["verdict"] = async (id) => {
    const read = readJson(at(id, "verdict.json"), AnswerVerdict);
    return read && "value" in read ? read.value : undefined;
  };
  const decide = async (id: string, decided: Omit<AnswerVerdict, "answer">) => {
    if (!(await dispatchOf(id))) return;
    const { answer = 0 } = (await verdict(id)) ?? {};
    await whole(at(id, "verdict.json"), JSON.stringify({ answer: answer + 1, ...decided }));
  };
  return {
    reply,
    take,
    verdict,
    async reopen(dispatch, problem) {
      if (!(await dispatchOf(dispatch.id))) return;
      await whole(at(dispatch.id, "dispatch.json"), JSON.stringify(dispatch));
      await decide(dispatch.id, { accepted: false, open: true, problem });
      // Last, so that an engine that dies before it finds the reply again and judges it again.
      await rm(at(dispatch.id, "reply.json"), { force: true });
    },
    settle: (id, problem) =>
      decide(id, { accepted: problem === undefined, open: false, ...(problem === undefined ? {} : { problem }) }),
    async judged(id, after, waitMs) {
      const enough = AbortSignal.timeout(waitMs);
      for (;;) {
        const found = await verdict(id);
        // The next answer can be given once this one is gone.
        const ready = found && found.answer > after && !(found.open && (await reply(id)));
        if (ready) return found;
        if (enough.aborted || !(await dispatchOf(id))) return undefined;
        await changed(at(id), enough);
      }
    },
    async post(dispatch) {
      await sweep();
      if (await dispatchOf(dispatch.id)) return;
      makeOwnFolder(at(dispatch.id));
      await whole(at(dispatch.id, "dispatch.json"), JSON.stringify(dispatch));
    },
    async replied(id, signal) {
      for (;;) {
        const found = await reply(id);
        if (found || signal.aborted) return found;
        await changed(at(id), signal);
      }
    },
    holds: async (id) => (await dispatchOf(id)) !== undefined,
    withdraw,
    async withdrawAll(run) {
      for (const id of await readdir(dir).catch(() => [])) if ((await dispatchOf(id))?.run === run) await withdraw(id);
    },
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
      // Heard of again: it may have to answer once more.
      await utimes(at(id, "taken.json"), new Date(now()), new Date(now())).catch(() => undefined);
      return onlyOnce(at(id, "reply.json"), JSON.stringify(given));
    },
  };

  /** A reply is kept for an engine that died before it read it; after a day nobody comes back for it. */
  async function sweep(): Promise<void> {
    for (const id of await readdir(dir).catch(() => [])) {
      const replied = await lstat(at(id, "reply.json")).catch(() => undefined);
      if (replied && now() - replied.mtimeMs > KEPT_FOR_MS) await removeFolder(at(id));
    }
  }

  async function rowOf(id: string): Promise<{ readonly at: number; readonly row: MailboxEntry } | undefined> {
    const dispatch = await dispatchOf(id);
    if (!dispatch || (await reply(id))) return undefined;
    const found = await lstat(at(id, "dispatch.json")).catch(() => undefined);
    return found && { at: found.mtimeMs, row: { ...dispatch, takenBy: await takenBy(id) } };
  }
}

/** Ids come from outside too: never a path. */
const safe = (id: string): string => id.replace(/[^\w-]/g, "_");

type Read<T> = { readonly value: T } | { readonly problem: string } | undefined;

/** Whoever works on a dispatch can write here: undefined where there is nothing, else the value or what is wrong. */
function readJson<T>(file: string, schema: z.ZodType<T>): Read<T> {
  const read = readOutsideJson(file, MOST_BYTES);
  if (!read.ok) return read.gone ? undefined : { problem: read.problem };
  const { data, error } = schema.safeParse(read.value);
  return error ? { problem: z.prettifyError(error) } : { value: data };
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
