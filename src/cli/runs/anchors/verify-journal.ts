import type { Host } from "../../../core/ports/host.ts";
import type { World } from "../../../core/ports/world.ts";
import { CHAIN_START } from "../../../engine/drive/recorder.ts";
import { refuseDamaged } from "../../../engine/drive/refuse-damaged.ts";
import { refuseUnreadable } from "./readable-record.ts";

type Journal = Host["journal"];

const START = { seq: 0, chain: CHAIN_START };

/**
 * Wraps a journal that others can write to: pages and followed records are verified against the chain of the record
 * before. `load` stays unverified, for callers that report what is wrong.
 */
export function verifyJournal(journal: Journal, world: Pick<World, "hash">): Journal {
  const loadRecord = async (run: string, seq: number) =>
    seq === 0 ? START : ((await journal.page(run, { after: seq - 1, most: 1 }))[0] ?? START);
  return {
    ...journal,
    async page(run, part) {
      const records = await journal.page(run, part);
      if (records.length > 0) refuseDamaged(world, { run, records, from: await loadRecord(run, part.after) });
      for (const record of records) refuseUnreadable(record);
      return records;
    },
    async *follow(run, after, signal) {
      let before = await loadRecord(run, after);
      for await (const record of journal.follow(run, after, signal)) {
        refuseDamaged(world, { run, records: [record], from: before });
        refuseUnreadable(record);
        before = record;
        yield record;
      }
    },
  };
}
