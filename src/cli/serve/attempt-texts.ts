import { open, stat } from "node:fs/promises";
import { join } from "node:path";
import { SignalboxError } from "../../core/failure/errors.ts";
import { createTranscript } from "../../drivers/transcript.ts";
import type { Transcript, TranscriptEntry } from "../../surfaces/server/port/documents.ts";
import type { AttemptLine, DispatchRow, RunPage } from "../../views/page/page.ts";
import { readAddedLines, readTail, resolveSpool } from "../inspect/spool-text.ts";
import type { RunStore } from "../runs/run-store.ts";

const MAX_CHARACTERS = 100_000;
const MOST_PROMPT_BYTES = 4 * 1024 * 1024;

type AttemptRequest = { readonly store: RunStore; readonly page: RunPage; readonly effect: string };

/** Returns an attempt's transcript after an offset, parsed like `logs` does. */
export async function readTranscript({ store, page, effect }: AttemptRequest, after: number): Promise<Transcript> {
  const { attempt } = findAttempt(page, ({ effect: each }) => each === effect);
  const file = join(resolveSpool(store, { run: page.head.run, effect }), "stdout");
  const { lines, next } = await readAddedLines({ file, from: after, redact: store.world.redact });
  const transcript = createTranscript({ begun: after > 0 });
  const size = (await stat(file).catch(() => undefined))?.size ?? 0;
  return {
    entries: lines.flatMap((line) => transcript.entries(line)).map(truncateEntry),
    next,
    complete: attempt.ms !== null && next >= size,
  };
}

/** Returns the complete prompt of an attempt. */
export async function readPrompt({ store, page, effect }: AttemptRequest): Promise<{ readonly text: string }> {
  findAttempt(page, ({ effect: each }) => each === effect);
  const text = await readFileStart(
    join(resolveSpool(store, { run: page.head.run, effect }), "prompt.md"),
    MOST_PROMPT_BYTES,
  );
  if (text !== undefined) return { text: store.world.redact(text) };
  throw new SignalboxError(
    "OBJECT_GONE",
    "The prompt of this attempt is no longer available.",
    "`signalbox gc` removed it, or it was never dispatched.",
  );
}

type ContractRequest = {
  readonly store: RunStore;
  readonly page: RunPage;
  readonly key: string;
  readonly attempt: number;
};

/** Returns the attempt's last message and the contract parsed from it. */
export async function readContract({ store, page, key, attempt: number }: ContractRequest) {
  const { dispatch, attempt } = findAttempt(page, ({ attempt: each }) => each === number, key);
  const file = join(resolveSpool(store, { run: page.head.run, effect: attempt.effect }), "stdout");
  const tail = await readTail({ file, most: Number.POSITIVE_INFINITY, redact: store.world.redact });
  const transcript = createTranscript({ begun: tail?.cut ?? false });
  const entries = (tail?.lines ?? []).flatMap((line) => transcript.entries(line));
  const message = entries.findLast(({ kind }) => kind === "message")?.text;
  const plain = entries.filter(({ kind }) => kind === "raw").map(({ text }) => text);
  const raw = message ?? (plain.length > 0 ? plain.join("\n") : null);
  const last = dispatch.attempts.at(-1)?.attempt === number;
  return { raw: raw?.slice(-MAX_CHARACTERS) ?? null, contract: last ? (dispatch.claim?.whole ?? null) : null };
}

function findAttempt({ rows, head }: RunPage, is: (attempt: AttemptLine) => boolean, key?: string) {
  const dispatches = rows.filter((row): row is DispatchRow => row.kind === "dispatch");
  for (const dispatch of dispatches) {
    if (key !== undefined && dispatch.key !== key) continue;
    const attempt = dispatch.attempts.find(is);
    if (attempt) return { dispatch, attempt };
  }
  throw new SignalboxError("OBJECT_GONE", `Run ${head.run} has no such attempt.`, "Choose one on its page.");
}

function truncateEntry({ kind, text }: TranscriptEntry): TranscriptEntry {
  return text.length <= MAX_CHARACTERS
    ? { kind, text }
    : { kind, text: `${text.slice(0, MAX_CHARACTERS)}… (${text.length} characters)` };
}

async function readFileStart(file: string, most: number): Promise<string | undefined> {
  const handle = await open(file, "r").catch(() => undefined);
  if (!handle) return undefined;
  try {
    const { size } = await handle.stat();
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(Math.min(size, most)), 0, Math.min(size, most), 0);
    return buffer.toString("utf8", 0, bytesRead);
  } finally {
    await handle.close();
  }
}
