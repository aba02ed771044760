import { counted } from "../../core/text/count.ts";
import type { Notice } from "../../surfaces/webhooks/notice.ts";
import { sendNotice } from "../../surfaces/webhooks/send.ts";
import { hasOutbox, openRepositoryOutbox } from "../notify/repository-outbox.ts";
import type { Target } from "../notify/targets.ts";
import type { RepositoryPlaces } from "../project/repository.ts";
import type { Symptom } from "./symptom.ts";

const what = "notify";

/** Describes the notification targets without sending anything. */
export function findNotifySymptoms(places: RepositoryPlaces, targets: readonly Target[]): readonly Symptom[] {
  return [...targets.map(checkTarget), ...listUndelivered(places, targets)];
}

function checkTarget({ shown, from, receiver }: Target): Symptom {
  const found = receiver(process.env);
  const says = `${shown}  (${from})`;
  return "lacks" in found ? { what, state: "note", says: `${says}; ${found.lacks}` } : { what, state: "fine", says };
}

function listUndelivered(places: RepositoryPlaces, targets: readonly Target[]): readonly Symptom[] {
  if (!hasOutbox(places)) return [];
  const outbox = openRepositoryOutbox(places);
  try {
    const { open, failed } = outbox.counts();
    const [last] = outbox.failures();
    const targetText =
      targets.find(({ id }) => id === last?.target)?.shown ?? "to a target that is no longer configured";
    return [
      ...(open > 0 ? [toNote(`${counted(open, "message")} not delivered yet`)] : []),
      ...(last ? [toNote(`${counted(failed, "message")} failed; the last one (${targetText}): ${last.says}`)] : []),
    ];
  } finally {
    outbox.close();
  }
}

const toNote = (says: string): Symptom => ({ what, state: "note", says });

/** Sends one test message to each target. A failed delivery is a missing prerequisite. */
export async function sendTestNotices(repository: string, targets: readonly Target[]): Promise<readonly Symptom[]> {
  if (targets.length === 0)
    return [toNote("no targets are configured: see `notify` in docs/reference/configuration.md")];
  return Promise.all(targets.map((target) => sendTestNotice(target, createTestNotice(repository, Date.now()))));
}

async function sendTestNotice({ shown, receiver, id }: Target, notice: Notice): Promise<Symptom> {
  const found = receiver(process.env);
  if ("lacks" in found) return { what, state: "missing", says: `${shown}: ${found.lacks}` };
  const result = await sendNotice(found, notice, `test.${notice.at}.${id}`);
  if (result.is === "delivered") return { what, state: "fine", says: `${shown}: delivered, ${result.says}` };
  return { what, state: "missing", says: `${shown}: ${result.says}` };
}

function createTestNotice(repository: string, now: number): Notice {
  return {
    event: "finished",
    run: "test",
    seq: 0,
    at: now,
    pipeline: "doctor",
    repository,
    needs: "nobody",
    title: "a test message",
    because: "sent by signalbox doctor --notify",
    next: [],
  };
}
