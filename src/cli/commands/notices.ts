import type { Call } from "../call.ts";
import { deliverHere } from "../notify/deliver-here.ts";
import { withRunStore } from "../runs/run-store.ts";

/** What an engine starts beside itself: sends what waits to be told, and leaves. */
export async function notices(call: Call): Promise<number> {
  return withRunStore(
    call,
    async (store) => {
      await deliverHere(store);
      return 0;
    },
    () => 0,
  );
}
