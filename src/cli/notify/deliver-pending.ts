import { deliverAll } from "../../surfaces/webhooks/deliver.ts";
import type { NoticeDelivery } from "../../surfaces/webhooks/outbox.ts";
import { sendNotice, type WebhookReceiver } from "../../surfaces/webhooks/send.ts";
import { loadConfigLayers } from "../project/config-sources.ts";
import type { RepositoryPlaces } from "../project/repository.ts";
import type { RunStore } from "../runs/run-store.ts";
import { readRepositoryCode } from "../trust/repository-code.ts";
import { checkTrust, isTrustedForCall, mayRun } from "../trust/trust.ts";
import { createTrustStore } from "../trust/trust-store.ts";
import { postAbandoned } from "./post-notices.ts";
import { hasOutbox, openRepositoryOutbox } from "./repository-outbox.ts";
import { collectTargets, type Target } from "./targets.ts";

/** Queues notices that a killed engine left, then sends until nothing is left that this process can send. */
export async function deliverPending({ places, world, host }: RunStore): Promise<void> {
  if (!hasOutbox(places)) return;
  const targets = collectTargets(await loadConfigLayers(places));
  const outbox = openRepositoryOutbox(places);
  try {
    await postAbandoned({ host, world, places, targets, trusted: isTrustedForCall(undefined) }, outbox);
    const receiverOf = await createReceiverLookup(places, world, targets);
    await deliverAll({ outbox, receiverOf, send: sendNotice, now: world.now, sleep: world.sleep });
  } finally {
    outbox.close();
  }
}

type ReceiverLookup = (letter: Pick<NoticeDelivery, "target" | "run">) => Promise<WebhookReceiver | "gone" | undefined>;

/**
 * Resolves a receiver. One that the repository names requires trust in the repository's current content, or in the run.
 */
async function createReceiverLookup(
  places: RepositoryPlaces,
  world: RunStore["world"],
  targets: readonly Target[],
): Promise<ReceiverLookup> {
  const repositoryCode = await readRepositoryCode(places);
  const store = createTrustStore(places.top, world);
  const mayNotify = async (target: Target, run: string) =>
    !target.brought || mayRun(await checkTrust({ repositoryCode, store, flag: undefined, run }));
  return async ({ target: id, run }) => {
    const target = targets.find((each) => each.id === id);
    if (!target) return "gone";
    const receiver = target.receiver(process.env);
    return "url" in receiver && (await mayNotify(target, run)) ? receiver : undefined;
  };
}
