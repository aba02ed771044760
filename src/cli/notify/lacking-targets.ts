import type { Call } from "../call.ts";
import type { Target } from "./targets.ts";

/** Of each webhook that this process cannot tell anything: what it lacks. Its messages wait for a process that has it. */
export function sayLacking(call: Call, targets: readonly Target[]): void {
  if (call.json) return;
  for (const [at, { receiver }] of targets.entries()) {
    const found = receiver(process.env);
    if ("lacks" in found) call.print(call.paint.yellow(`! webhook ${at + 1}: ${found.lacks}: its messages wait`));
  }
}
