import { watch } from "node:fs";
import { link, lstat, readdir, rename, rm, unlink, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { AnswerVerdict, type Mailbox, type MailboxEntry, PostedDispatch, Reply } from "../../core/ports/mailbox.ts";
import { readOutside, readOutsideJson } from "../../node/outside-file.ts";
import { makeOwnFolder } from "../../node/own-folder.ts";
import { removeFolder } from "../../node/remove-folder.ts";

/** A taker that was not active for this long counts as gone. */
const CLAIM_MS = 30 * 60_000;
const RETENTION_MS = 24 * 60 * 60_000;
/** How long a writer may take to complete a reply that it writes in place. */
const HALF_WRITTEN_MS = 10_000;
/** More than any agent prints. */
const MOST_BYTES = 16 * 1024 * 1024;
/** File watching can miss a change on some file systems; polling does not. */
const LOOK_AGAIN_MS = 500;

type FolderMailboxOptions = { readonly dir: string; readonly now: () => number };

/**
 * Stores each dispatch in a folder with `dispatch.json`, `taken.json`, `reply.json` and, once an answer was judged,
 * `verdict.json`. Each file is written atomically.
 */
export function createFolderMailbox({ dir, now }: FolderMailboxOptions): Mailbox {
  const getPath = (id: string, file = "") => join(dir, toFileName(id), file);
  const withdraw = (id: string) => removeFolder(getPath(id));
  const readDispatch = async (id: string) => {
    const read = readJson(getPath(id, "dispatch.json"), PostedDispatch);
    return read && "value" in read ? read.value : undefined;
  };
  const readReply: Mailbox["reply"] = async (id) => {
    const read = readJson(getPath(id, "reply.json"), Reply);
    if (!read || "value" in read) return read?.value;
    const { mtimeMs } = (await lstat(getPath(id, "reply.json")).catch(() => undefined)) ?? { mtimeMs: now() };
    return now() - mtimeMs < HALF_WRITTEN_MS ? undefined : { by: "", unreadable: read.problem };
  };
  const readTaker = async (id: string): Promise<string | null> => {
    const file = getPath(id, "taken.json");
    const found = await lstat(file).catch(() => undefined);
    if (!found || now() - found.mtimeMs > CLAIM_MS) return null;
    const read = readOutside(file, MOST_BYTES);
    return read.ok ? read.text || null : null;
  };
  const takeDispatch: Mailbox["take"] = async (id, by) => {
    const dispatch = await readDispatch(id);
    if (!dispatch || (await readReply(id))) return undefined;
    const holder = await readTaker(id);
    if (holder !== null) return holder === by ? dispatch : undefined;
    await rm(getPath(id, "taken.json"), { force: true });
    return (await writeOnce(getPath(id, "taken.json"), by)) ? dispatch : undefined;
  };
  const readVerdict: Mailbox["verdict"] = async (id) => {
    const read = readJson(getPath(id, "verdict.json"), AnswerVerdict);
    return read && "value" in read ? read.value : undefined;
  };
  const decide = async (id: string, decided: Omit<AnswerVerdict, "answer">) => {
    if (!(await readDispatch(id))) return;
    const { answer = 0 } = (await readVerdict(id)) ?? {};
    await writeAtomically(getPath(id, "verdict.json"), JSON.stringify({ answer: answer + 1, ...decided }));
  };
  return {
    reply: readReply,
    take: takeDispatch,
    verdict: readVerdict,
    async reopen(dispatch, problem) {
      if (!(await readDispatch(dispatch.id))) return;
      await writeAtomically(getPath(dispatch.id, "dispatch.json"), JSON.stringify(dispatch));
      await decide(dispatch.id, { accepted: false, open: true, problem });
      // Comes last, so that an engine that dies before it finds the reply and judges it again.
      await rm(getPath(dispatch.id, "reply.json"), { force: true });
    },
    settle: (id, problem) =>
      decide(id, { accepted: problem === undefined, open: false, ...(problem === undefined ? {} : { problem }) }),
    async judged(id, after, waitMs) {
      const enough = AbortSignal.timeout(waitMs);
      for (;;) {
        const found = await readVerdict(id);
        // The next answer can be posted once this one is removed.
        const ready = found && found.answer > after && !(found.open && (await readReply(id)));
        if (ready) return found;
        if (enough.aborted || !(await readDispatch(id))) return undefined;
        await waitForChange(getPath(id), enough);
      }
    },
    async post(dispatch) {
      await removeExpired();
      if (await readDispatch(dispatch.id)) return;
      makeOwnFolder(getPath(dispatch.id));
      await writeAtomically(getPath(dispatch.id, "dispatch.json"), JSON.stringify(dispatch));
    },
    async replied(id, signal) {
      for (;;) {
        const found = await readReply(id);
        if (found || signal.aborted) return found;
        await waitForChange(getPath(id), signal);
      }
    },
    holds: async (id) => (await readDispatch(id)) !== undefined,
    withdraw,
    async withdrawAll(run) {
      for (const id of await readdir(dir).catch(() => []))
        if ((await readDispatch(id))?.run === run) await withdraw(id);
    },
    async list() {
      const ids = await readdir(dir).catch(() => []);
      const rows = await Promise.all(ids.map((id) => readRow(id)));
      return rows
        .filter((row) => row !== undefined)
        .sort((a, b) => a.at - b.at)
        .map(({ row }) => row);
    },
    async answer(id, given) {
      if (!(await takeDispatch(id, given.by))) return false;
      // Renews the claim, because the taker may have to answer again.
      await utimes(getPath(id, "taken.json"), new Date(now()), new Date(now())).catch(() => undefined);
      return writeOnce(getPath(id, "reply.json"), JSON.stringify(given));
    },
  };

  /** Replies are kept for an engine that died before it read them, and removed after a day. */
  async function removeExpired(): Promise<void> {
    for (const id of await readdir(dir).catch(() => [])) {
      const replied = await lstat(getPath(id, "reply.json")).catch(() => undefined);
      if (replied && now() - replied.mtimeMs > RETENTION_MS) await removeFolder(getPath(id));
    }
  }

  async function readRow(id: string): Promise<{ readonly at: number; readonly row: MailboxEntry } | undefined> {
    const dispatch = await readDispatch(id);
    if (!dispatch || (await readReply(id))) return undefined;
    const found = await lstat(getPath(id, "dispatch.json")).catch(() => undefined);
    return found && { at: found.mtimeMs, row: { ...dispatch, takenBy: await readTaker(id) } };
  }
}

/** Ids also come from outside, so they must not form a path. */
const toFileName = (id: string): string => id.replace(/[^\w-]/g, "_");

type ReadResult<T> = { readonly value: T } | { readonly problem: string } | undefined;

/**
 * External agents can write here, so the content is validated. Returns undefined for a missing file, else the value or
 * the problem.
 */
function readJson<T>(file: string, schema: z.ZodType<T>): ReadResult<T> {
  const read = readOutsideJson(file, MOST_BYTES);
  if (!read.ok) return read.gone ? undefined : { problem: read.problem };
  const { data, error } = schema.safeParse(read.value);
  return error ? { problem: z.prettifyError(error) } : { value: data };
}

async function writeAtomically(file: string, text: string): Promise<void> {
  await writeFile(`${file}.new`, text, { mode: 0o600 });
  await rename(`${file}.new`, file);
}

/** Writes atomically and at most once: a link, unlike a rename, fails if the file exists. */
async function writeOnce(file: string, text: string): Promise<boolean> {
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

function waitForChange(dir: string, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const finish = () => {
      clearTimeout(timer);
      watcher?.close();
      signal.removeEventListener("abort", finish);
      resolve();
    };
    const timer = setTimeout(finish, LOOK_AGAIN_MS);
    let watcher: ReturnType<typeof watch> | undefined;
    try {
      watcher = watch(dir, finish).on("error", finish);
    } catch {
      // The folder is gone or cannot be watched; the polling interval applies.
    }
    signal.addEventListener("abort", finish, { once: true });
  });
}
