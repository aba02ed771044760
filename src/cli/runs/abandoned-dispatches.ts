import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { PostedDispatch } from "../../core/ports/mailbox.ts";
import { readOutsideJson } from "../../node/outside-file.ts";
import { removeFolder } from "../../node/remove-folder.ts";

const MOST_BYTES = 16 * 1024 * 1024;

export type AbandonedDispatches = { readonly names: readonly string[]; remove(): Promise<void> };

/** Lists dispatches left in the mailbox by an engine that was killed at the end of its run. Nothing waits for them. */
export async function findAbandonedDispatches(
  mailbox: string,
  ended: ReadonlySet<string>,
): Promise<AbandonedDispatches> {
  const folders = (await readdir(mailbox).catch(() => [])).map((name) => join(mailbox, name));
  const runs = folders.map(readDispatchRun);
  const names = folders.filter((_folder, at) => ended.has(runs[at] ?? ""));
  return {
    names,
    remove: async () => void (await Promise.all(names.map(removeFolder))),
  };
}

function readDispatchRun(folder: string): string | undefined {
  const read = readOutsideJson(join(folder, "dispatch.json"), MOST_BYTES);
  // Other content is not ours or was removed in the meantime.
  return read.ok ? PostedDispatch.safeParse(read.value).data?.run : undefined;
}
