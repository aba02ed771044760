import type { Call } from "../call.ts";
import { deliverPending } from "../notify/deliver-pending.ts";
import { withRunStore } from "../runs/run-store.ts";

/** Started by an engine as a separate process: delivers pending notices and exits. */
export async function sendNotices(call: Call): Promise<number> {
  return withRunStore(
    call,
    async (store) => {
      await deliverPending(store);
      return 0;
    },
    () => 0,
  );
}
