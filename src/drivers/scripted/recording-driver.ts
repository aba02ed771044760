import { mkdir, readdir, rename, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { stringify } from "yaml";
import type { AgentEvent, DispatchOrder, Driver } from "../../core/ports/driver.ts";
import { redactDeep } from "../../core/text/redact-deep.ts";
import { sha256 } from "../../node/digest.ts";
import { readOutside } from "../../node/outside-file.ts";
import { keyOf } from "./match.ts";
import type { Action, ScriptRule } from "./script.ts";

/** Content by path, as a directory had it. */
type Files = ReadonlyMap<string, Buffer>;

/**
 * Lets another driver play and keeps each dispatch as a rule of a script, one file each: what it changed, what it
 * said, what it cost. A folder of them, given as the agents of a run, plays it again without a model.
 */
export function recordingDriver(driver: Driver, { dir, redact }: Recording): Driver {
  // Turns of one attempt belong together: a repair adds to what the first one did.
  const before = new Map<string, Files>();
  const { session: _session, outlives: _outlives, ...whole } = driver;
  return {
    // Not to be gone on with after a kill: the rule of an attempt has all that it did, or it could not be played again.
    ...whole,
    async *dispatch(order, processes, signal) {
      const known = before.get(order.effect) ?? (await filesIn(order.cwd));
      before.set(order.effect, known);
      let last: AgentEvent | undefined;
      for await (const event of driver.dispatch(order, processes, signal)) {
        // The last event ends the attempt, and with it the folder: what was done is read before it is passed on.
        if (event.type === "turn.finished" || event.type === "turn.failed")
          await keep({ dir, redact }, order, { known, event });
        last = event;
        yield event;
      }
      if (last?.type === "turn.failed") before.delete(order.effect);
    },
  };
}

/** Where the rules are kept, and what takes secrets out of them: they are made to be shared. */
export type Recording = { readonly dir: string; readonly redact: (text: string) => string };

type FinishedTurn = { readonly known: Files; readonly event: AgentEvent };

async function keep({ dir, redact }: Recording, order: DispatchOrder, { known, event }: FinishedTurn): Promise<void> {
  const rule: ScriptRule = {
    role: order.role,
    key: keyOf(order),
    attempt: order.attempt,
    do: [...deedsOf(known, await filesIn(order.cwd)), ...wrongsOf(event)],
    ...(event.type === "turn.finished" ? { reply: withPlaceholders(event.text, order) } : {}),
    ...("usage" in event && event.usage ? { usage: event.usage } : {}),
  };
  const name = `${fileName(keyOf(order))}@${order.attempt}.yaml`;
  await mkdir(dir, { recursive: true });
  await writeFile(join(dir, `.${name}`), stringify({ agents: [redactDeep(rule, redact)] }, { lineWidth: 0 }));
  await rename(join(dir, `.${name}`), join(dir, name));
}

/** Readable where it can be, and never the same for two keys. */
function fileName(key: string): string {
  const hash = sha256(key).slice(0, 8);
  return `${key.replace(/[^\w.-]+/g, "-").slice(0, 80)}-${hash}`;
}

/** What differs from dispatch to dispatch is filled in again when it is played. */
function withPlaceholders(text: string, { nonce, signature, run }: DispatchOrder): string {
  const signed = signature === undefined ? text : text.replaceAll(signature, "{{signature}}");
  return signed.replaceAll(nonce, "{{nonce}}").replaceAll(run, "{{run}}");
}

function deedsOf(before: Files, after: Files): readonly Action[] {
  const written = [...after].filter(([path, content]) => !before.get(path)?.equals(content));
  const deleted = [...before.keys()].filter((path) => !after.has(path));
  return [...written.map(([path, content]) => ({ write: { path, ...textOf(content) } })), ...deleted.map(gone)];
}

const gone = (path: string): Action => ({ delete: path });

function textOf(content: Buffer): { content: string; encoding?: "base64" } {
  const text = content.toString("utf8");
  return Buffer.from(text).equals(content)
    ? { content: text }
    : { content: content.toString("base64"), encoding: "base64" };
}

/** A turn that failed fails again, in the way that the scripted agent knows for it. */
function wrongsOf(event: AgentEvent): readonly Action[] {
  if (event.type !== "turn.failed") return [];
  return [{ misbehave: event.failure.code === "agent_throttled" ? "429" : "crash" }];
}

/** Without git's own folder and what was installed: neither is the agent's work. */
const SKIPPED = new Set([".git", "node_modules"]);
const MOST_BYTES = 4 * 1024 * 1024;

async function filesIn(dir: string): Promise<Files> {
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
