import type { Call } from "../call.ts";
import type { Target } from "./targets.ts";

/** Warns about each webhook that this process cannot send to. Its messages wait for a process that can. */
export function warnLackingTargets(call: Call, targets: readonly Target[]): void {
  if (call.json) return;
  for (const [at, { receiver }] of targets.entries()) {
    const found = receiver(process.env);
    if ("lacks" in found) call.print(call.paint.yellow(`! webhook ${at + 1}: ${found.lacks}; its messages are queued`));
  }
}
