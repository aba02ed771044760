import { FINISHED } from "../core/end.ts";
import { SignalboxError } from "../core/errors.ts";
import type { Claim, DriveResult } from "../core/ports/host.ts";
import { startBody } from "./body.ts";
import { concluded } from "./conclude.ts";
import type { EngineParts } from "./engine.ts";
import { historyOf } from "./history.ts";
import { hashOfPipeline } from "./pipeline-hash.ts";
import type { Conclusion, Run } from "./run.ts";
import { type Grip, take } from "./take.ts";
import { keepClaim, keepTime, listen } from "./watch.ts";

/** Runs or resumes one run until it ends or suspends; recovery is nothing but this, on a journal that has records. */
export async function drive(parts: EngineParts, id: string, signal: AbortSignal): Promise<DriveResult> {
  for (;;) {
    const { waiting, ...result } = await driveOnce(parts, id, signal);
    // An answer that came while the run was being parked would lie there until somebody says `resume`.
    if (signal.aborted || !(await hasMail(parts, id, waiting))) return result;
  }
}

type Driven = DriveResult & { readonly waiting: readonly string[] };

async function driveOnce(parts: EngineParts, id: string, signal: AbortSignal): Promise<Driven> {
  const claim = await claimed(parts, id, signal);
  const over = new AbortController();
  const released = new AbortController();
  try {
    const history = historyOf(await parts.host.journal.load(id));
    const { ended } = history;
    if (ended) return { status: ended.status, exit: ended.exit, waiting: [] };
    return await conduct(parts, { claim, history, signal, over, released });
  } finally {
    over.abort();
    released.abort();
    await parts.host.runs.release(claim);
  }
}

async function hasMail(parts: EngineParts, id: string, waiting: readonly string[]): Promise<boolean> {
  if (waiting.length === 0) return false;
  const letters = await parts.host.inbox.unread(id);
  return letters.some(({ letter }) => letter.kind !== "answer" || waiting.includes(letter.approval));
}

async function claimed(parts: EngineParts, id: string, signal: AbortSignal): Promise<Claim> {
  for (;;) {
    const result = await parts.host.runs.claim(id, parts.owner);
    if (result.won) return result.claim;
    const left = result.until - parts.world.now();
    if (!parts.patient || signal.aborted) {
      throw new SignalboxError(
        "RUN_OWNED",
        `The run ${id} is being driven by ${result.owner}.`,
        "Follow it with `signalbox events`, or stop that engine first; its claim lapses by itself when it is gone.",
      );
    }
    await parts.world.sleep(Math.min(Math.max(left, 50), 1_000), signal);
  }
}

async function conduct(parts: EngineParts, grip: Grip): Promise<Driven> {
  const { run, conclusion } = take(parts, grip);
  run.recorder.record({
    type: "engine.started",
    owner: parts.owner,
    fence: grip.claim.fence,
    hash: hashOfPipeline(parts.world, run.pipeline),
    ...(parts.sandbox === undefined ? {} : { sandbox: parts.sandbox }),
  });
  const interrupt = () => run.conclude(stoppedBy(grip.signal.reason));
  grip.signal.addEventListener("abort", interrupt, { once: true });
  if (grip.signal.aborted) interrupt();
  keepClaim(parts, grip, run);
  // First the letters: one of them may have raised the limits.
  await run.letters.poll();
  keepTime(run);
  listen(grip, run);
  if (!run.over) startBody(run);
  const outcome = await conclusion;
  grip.signal.removeEventListener("abort", interrupt);
  if (outcome.kind !== "lost" && grip.history.keys.length > 0) await restore(parts, grip, run);
  const result = await concluded(run, outcome, grip.claim);
  // What cannot be removed is no reason to call the run anything else: `gc` finds it.
  if (FINISHED.some((status) => status === result.status)) await parts.performer.tidy?.(run.id).catch(() => undefined);
  const asked = outcome.kind === "suspended" ? (outcome.waiting ?? []) : [];
  return { ...result, waiting: asked };
}

/** Only now, after the body has come as far as it can, is it known what each file says last. */
async function restore({ performer, host }: EngineParts, { claim }: Grip, { id, state }: Run): Promise<void> {
  // Whoever has lost the run, and may not know it yet, has an old state of its files.
  if (!(await host.runs.renew(claim).catch(() => false))) return;
  const mirrors = state.rendered.entries().map(([path, text]) => ({ path, text, to: "mirror" as const }));
  const files = state.projected.entries().map(([path, text]) => ({ path, text, to: "checkout" as const }));
  // Copies for people: a full disk must not cost the run its end, and the next engine tries again.
  await performer.restore?.(id, [...mirrors, ...files]).catch(() => undefined);
}

/** Whoever aborts may say with which code the process will leave: 143 for a SIGTERM. */
function stoppedBy(reason: unknown): Conclusion {
  const exit = typeof reason === "object" && reason !== null && "exit" in reason ? Number(reason.exit) : undefined;
  const suspended = { kind: "suspended", status: "interrupted", reason: "the engine was told to stop" } as const;
  return exit === undefined ? suspended : { ...suspended, exit };
}
