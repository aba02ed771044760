import type { Call } from "../call.ts";
import { deliverHere } from "../notify/deliver-here.ts";
import { withRunStore } from "../runs/run-store.ts";

/** Started by an engine as a separate process: delivers pending notices and exits. */
export async function sendNotices(call: Call): Promise<number> {
  return withRunStore(
    call,
    async (store) => {
      await deliverHere(store);
      return 0;
    },
    () => 0,
  );
}
