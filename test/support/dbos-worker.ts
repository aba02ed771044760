import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import type { Handlers, Host, Lease } from "../../src/core/ports/host.ts";
import { createDbosHost } from "../../src/hosts/dbos/host.ts";
import { createAttempt, stampRecords } from "../../src/hosts/suite/facts.ts";
import { createHeldWorld } from "../../src/hosts/suite/held-world.ts";

/**
 * A worker in its own process: `node dbos-worker.ts <url> <name> [run to drive]`. It reports its events on standard
 * output, and executes effects until it reads a line on standard input.
 */
const [url = "", name = "", toDrive] = process.argv.slice(2);
const LEASE_MS = 1_500;
const CLAIM_AGAIN_MS = 50;
const never = new AbortController().signal;
const tell = (what: string) => process.stdout.write(`${what}\n`);

const host = await createDbosHost({ url, world: createHeldWorld(), leaseMs: LEASE_MS });
await host.serve({ drive, perform: answer("perform"), recover: answer("recover") });
tell("serving");
if (toDrive) await host.drive(toDrive);

/** The smallest engine: one intent, one effect, one end. */
async function drive(run: string) {
  tell("drive");
  const lease = await claimRun(host, run);
  const begun = (await host.journal.load(run)).length > 0;
  const effect = createAttempt(run);
  const key = "look";
  if (!begun) await host.journal.append(lease, stampRecords(run, 1, [{ type: "step.finished", key, value: "intent" }]));
  const value = begun ? await host.effects.resume(effect, never) : await host.effects.start(effect, never);
  try {
    const finished = { type: "run.finished", status: "done", exit: 0 } as const;
    await host.journal.append(
      lease,
      stampRecords(run, 2, [{ type: "step.finished", key, value: `${value}` }, finished]),
    );
  } catch (error) {
    tell(error instanceof Error && "code" in error ? String(error.code) : String(error));
    throw error;
  }
  await host.runs.release(lease);
  return { status: "done", exit: 0 };
}

async function claimRun(by: Host, run: string): Promise<Lease> {
  for (;;) {
    const result = await by.runs.claim(run, name);
    if (result.won) return result.lease;
    await delay(CLAIM_AGAIN_MS);
  }
}

function answer(verb: "perform" | "recover"): Handlers["perform"] {
  const say = async (_effect: unknown, signal: AbortSignal) => {
    tell(verb);
    if (verb === "perform") await once(process.stdin, "data", { signal }).catch(() => tell("stopped"));
    return `${verb} by ${name}`;
  };
  return say as unknown as Handlers["perform"]; // a string stands for the result, which is only passed through
}
