import { SignalboxError } from "../../core/failure/errors.ts";
import { resolveOutputFolder } from "../inspect/check-output.ts";
import { readStreams } from "../inspect/spool-text.ts";
import type { LocatedRun } from "./followed-runs.ts";

/** Returns the output of a recorded check, from both streams, cut at the start if it is very long. */
export async function readCheckOutput({ store, row }: LocatedRun, seq: number) {
  const [record] = await store.host.journal.page(row.id, { after: seq - 1, most: 1 });
  if (record?.seq !== seq || record.type !== "evidence.recorded") {
    throw new SignalboxError(
      "OBJECT_GONE",
      `Record ${seq} of ${row.id} is not a check.`,
      "Choose a check on its page.",
    );
  }
  const folder = record.output === undefined ? undefined : resolveOutputFolder(store, row.id, record.output);
  const ends = { most: Number.POSITIVE_INFINITY, redact: store.world.redact };
  const { stdout, stderr } = folder === undefined ? {} : await readStreams(folder, ends);
  // The files were removed, or the engine performed the check itself. The excerpt in the record is always available.
  if (!stdout && !stderr) return { text: store.world.redact(record.excerpt ?? record.snippet), truncated: true };
  const text = [stdout, stderr].flatMap((stream) => stream?.lines ?? []).join("\n");
  return { text, truncated: stdout?.cut === true || stderr?.cut === true };
}
