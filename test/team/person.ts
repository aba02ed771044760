import { userInfo } from "node:os";
import type { JournalRecord } from "../../src/core/journal/record.ts";
import type { Host } from "../../src/core/ports/host.ts";

/** Answers every question of a run with its first choice whenever the run is suspended, until it ends. */
export async function answerAll(host: Host, run: string): Promise<readonly JournalRecord[]> {
  const records: JournalRecord[] = [];
  const answered = new Set<string>();
  const over = new AbortController();
  for await (const record of host.journal.follow(run, 0, over.signal)) {
    records.push(record);
    if (record.type === "run.finished") break;
    if (record.type !== "run.suspended") continue;
    if (record.code !== undefined || !GOES_ON.has(record.status)) throw new Error(`${run} rests: ${record.reason}`);
    for (const asked of findUnanswered(records, answered)) {
      answered.add(asked.approval);
      await host.inbox.post(run, createAnswer(asked));
    }
  }
  over.abort();
  return records;
}

/** Suspensions that end with an answer or another worker. */
const GOES_ON: ReadonlySet<string> = new Set(["waiting", "paused", "interrupted"]);

function findUnanswered(records: readonly JournalRecord[], answered: ReadonlySet<string>) {
  return records.filter((each) => each.type === "approval.requested").filter(({ approval }) => !answered.has(approval));
}

function createAnswer({ approval, hash, choices, pause }: JournalRecord<"approval.requested">) {
  const by = userInfo().username;
  if (pause) return { kind: "resume", approval, by } as const;
  return { kind: "answer", approval, hash, choice: choices[0] ?? "", by } as const;
}
