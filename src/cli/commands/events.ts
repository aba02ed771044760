import { SignalboxError } from "../../core/errors.ts";
import { withBook } from "../book.ts";
import type { Call } from "../call.ts";
import { createTeller } from "../drive-run.ts";
import { findRun } from "../runs.ts";

export type EventFlags = { readonly follow?: boolean; readonly after?: string };

export async function events(call: Call, asked: string | undefined, flags: EventFlags): Promise<number> {
  const after = sequence(flags.after ?? "0");
  return withBook(call, async ({ host, places }) => {
    const { id } = await findRun(host, places.top, asked);
    const records = await host.journal.load(id);
    const teller = createTeller(
      call,
      records.filter((record) => record.seq <= after),
    );
    for (const record of records) teller.tell(record);
    if (!flags.follow || records.at(-1)?.type === "run.finished") return 0;
    const left = new AbortController();
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => left.abort());
    process.stdout.once("error", () => left.abort());
    for await (const record of host.journal.follow(id, teller.seq(), left.signal)) {
      teller.tell(record);
      if (record.type === "run.finished") break;
    }
    return 0;
  });
}

function sequence(text: string): number {
  if (/^\d+$/.test(text)) return Number(text);
  throw new SignalboxError(
    "USAGE",
    `--after ${text} is no sequence number.`,
    "Write the `seq` of the last event you have.",
  );
}
