import { mkdir, readdir, rename, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { stringify } from "yaml";
import type { AgentEvent, DispatchOrder, Driver } from "../../core/ports/driver.ts";
import { redactDeep } from "../../core/text/redact-deep.ts";
import { sha256 } from "../../node/digest.ts";
import { readOutside } from "../../node/outside-file.ts";
import { getStepKey } from "./match.ts";
import type { Action, ScriptRule } from "./script.ts";

/** File content by relative path. */
type FileContents = ReadonlyMap<string, Buffer>;

/**
 * Wraps a driver and records each dispatch as a rule of a script, in one file each: file changes, answer and cost. Such
 * a folder replays the run without a model.
 */
export function createRecordingDriver(driver: Driver, { dir, redact }: Recording): Driver {
  // Turns of one attempt share a snapshot: a repair adds to the changes of the first turn.
  const before = new Map<string, FileContents>();
  const { session: _session, outlives: _outlives, ...whole } = driver;
  return {
    // Excludes resuming after a kill: the rule of an attempt must contain everything it did, or it could not be
    // replayed.
    ...whole,
    async *dispatch(order, processes, signal) {
      const known = before.get(order.effect) ?? (await readFiles(order.cwd));
      before.set(order.effect, known);
      let last: AgentEvent | undefined;
      for await (const event of driver.dispatch(order, processes, signal)) {
        // The last event ends the attempt and removes its folder, so changes are read before it is passed on.
        if (event.type === "turn.finished" || event.type === "turn.failed")
          await recordTurn({ dir, redact }, order, { known, event });
        last = event;
        yield event;
      }
      if (last?.type === "turn.failed") before.delete(order.effect);
    },
  };
}

/** The folder for the rules, and the redaction of secrets: recordings are meant to be shared. */
export type Recording = { readonly dir: string; readonly redact: (text: string) => string };

type FinishedTurn = { readonly known: FileContents; readonly event: AgentEvent };

async function recordTurn(
  { dir, redact }: Recording,
  order: DispatchOrder,
  { known, event }: FinishedTurn,
): Promise<void> {
  const rule: ScriptRule = {
    role: order.role,
    key: getStepKey(order),
    attempt: order.attempt,
    do: [...listFileActions(known, await readFiles(order.cwd)), ...listMisbehaviors(event)],
    ...(event.type === "turn.finished" ? { reply: withPlaceholders(event.text, order) } : {}),
    ...("usage" in event && event.usage ? { usage: event.usage } : {}),
  };
  const name = `${createFileName(getStepKey(order))}@${order.attempt}.yaml`;
  await mkdir(dir, { recursive: true });
  await writeFile(join(dir, `.${name}`), stringify({ agents: [redactDeep(rule, redact)] }, { lineWidth: 0 }));
  await rename(join(dir, `.${name}`), join(dir, name));
}

/** Readable, and unique per key. */
function createFileName(key: string): string {
  const hash = sha256(key).slice(0, 8);
  return `${key.replace(/[^\w.-]+/g, "-").slice(0, 80)}-${hash}`;
}

/** Replaces values that differ per dispatch by placeholders, which replaying fills in. */
function withPlaceholders(text: string, { nonce, signature, run }: DispatchOrder): string {
  const signed = signature === undefined ? text : text.replaceAll(signature, "{{signature}}");
  return signed.replaceAll(nonce, "{{nonce}}").replaceAll(run, "{{run}}");
}

function listFileActions(before: FileContents, after: FileContents): readonly Action[] {
  const written = [...after].filter(([path, content]) => !before.get(path)?.equals(content));
  const deleted = [...before.keys()].filter((path) => !after.has(path));
  return [
    ...written.map(([path, content]) => ({ write: { path, ...encodeContent(content) } })),
    ...deleted.map(createDeletion),
  ];
}

const createDeletion = (path: string): Action => ({ delete: path });

function encodeContent(content: Buffer): { content: string; encoding?: "base64" } {
  const text = content.toString("utf8");
  return Buffer.from(text).equals(content)
    ? { content: text }
    : { content: content.toString("base64"), encoding: "base64" };
}

/** Replays a failed turn as a failure that the scripted agent supports. */
function listMisbehaviors(event: AgentEvent): readonly Action[] {
  if (event.type !== "turn.failed") return [];
  return [{ misbehave: event.failure.code === "agent_throttled" ? "429" : "crash" }];
}

/** Git's folder and installed packages are not the agent's work. */
const SKIPPED = new Set([".git", "node_modules"]);
const MOST_BYTES = 4 * 1024 * 1024;

async function readFiles(dir: string): Promise<FileContents> {
  const files = new Map<string, Buffer>();
  const walk = async (folder: string): Promise<void> => {
    for (const entry of await readdir(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name);
      if (entry.isDirectory() && !SKIPPED.has(entry.name)) await walk(path);
      const read = entry.isFile() ? readOutside(path, MOST_BYTES) : undefined;
      if (read?.ok) files.set(relative(dir, path), read.bytes);
    }
  };
  await walk(dir);
  return files;
}
