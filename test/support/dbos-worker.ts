import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import type { Effect } from "../../src/core/journal/effect.ts";
import type { Handlers, Host, Lease } from "../../src/core/ports/host.ts";
import { dbosHost } from "../../src/hosts/dbos/host.ts";
import { stamped } from "../../src/hosts/suite/facts.ts";
import { heldWorld } from "../../src/hosts/suite/held-world.ts";

/**
 * A worker in a process of its own: `node dbos-worker.ts <url> <name> [run to drive]`. It says what happens to
 * it on standard output, and performs until it reads a line on standard input.
 */
const [url = "", name = "", toDrive] = process.argv.slice(2);
const LEASE_MS = 1_500;
const CLAIM_AGAIN_MS = 50;
const never = new AbortController().signal;
const tell = (what: string) => process.stdout.write(`${what}\n`);

const host = await dbosHost({ url, world: heldWorld(), leaseMs: LEASE_MS });
await host.serve({ drive, perform: answer("perform"), recover: answer("recover") });
tell("serving");
if (toDrive) await host.drive(toDrive);

/** The smallest engine there is: one intent, one effect, one end. */
async function drive(run: string) {
  tell("drive");
  const lease = await claimed(host, run);
  const begun = (await host.journal.load(run)).length > 0;
  const effect: Effect<"see"> = { id: `${run}/look@1`, run, kind: "see", request: { what: "head", args: null } };
  const key = "look";
  if (!begun) await host.journal.append(lease, stamped(run, 1, [{ type: "step.finished", key, value: "intent" }]));
  const value = begun ? await host.effects.resume(effect, never) : await host.effects.start(effect, never);
  try {
    const finished = { type: "run.finished", status: "done", exit: 0 } as const;
    await host.journal.append(lease, stamped(run, 2, [{ type: "step.finished", key, value: `${value}` }, finished]));
  } catch (error) {
    tell(error instanceof Error && "code" in error ? String(error.code) : String(error));
    throw error;
  }
  await host.runs.release(lease);
  return { status: "done", exit: 0 };
}

async function claimed(by: Host, run: string): Promise<Lease> {
  for (;;) {
    const result = await by.runs.claim(run, name);
    if (result.won) return result.lease;
    await delay(CLAIM_AGAIN_MS);
  }
}

function answer(verb: "perform" | "recover"): Handlers["perform"] {
  const say = async () => {
    tell(verb);
    if (verb === "perform") await once(process.stdin, "data");
    return `${verb} by ${name}`;
  };
  return say as Handlers["perform"]; // this worker is only given `see`, whose result is any JSON
}
