import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { JournalRecord } from "../../src/core/journal/record.ts";

export const FOLDER = join(import.meta.dirname, "recorded");

/** A finished run as some version of a pipeline left it: `<pipeline>-<version>.jsonl`. */
export type History = {
  readonly file: string;
  readonly pipeline: string;
  readonly version: number;
  readonly records: readonly JournalRecord[];
};

export function histories(): readonly History[] {
  return readdirSync(FOLDER)
    .filter((file) => file.endsWith(".jsonl"))
    .map((file) => {
      const [, pipeline = "", version = ""] = /^(.+)-(\d+)\.jsonl$/.exec(file) ?? [];
      const lines = readFileSync(join(FOLDER, file), "utf8").trim().split("\n");
      // Written by `record.ts` out of a journal, and never by hand.
      const records = lines.map((line) => JSON.parse(line) as JournalRecord);
      return { file, pipeline, version: Number(version), records };
    });
}
