import type { Effect, EffectKind, EffectResult } from "../../core/journal/effect.ts";
import type { Handlers, Host } from "../../core/ports/host.ts";
import { type Outcome, outcomeOf, valueIn } from "./outcome.ts";
import type { StopSignals } from "./stop-signal.ts";
import type { Database } from "./tables/database.ts";
import type { Bodies, EffectOrder, Workflows } from "./workflows.ts";

export type EffectsParts = { readonly stops: StopSignals; readonly workflows: () => Workflows };

/** Each effect is a workflow of the same id, so that starting it again, from anywhere, gives the recorded result. */
export function dbosEffects({ stops, workflows }: EffectsParts): Host["effects"] {
  const settle = async <K extends EffectKind>(id: string, order: EffectOrder, signal: AbortSignal) => {
    const stop = () => void stops.ask(id).catch(() => undefined);
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop, { once: true });
    try {
      // The body answered with the result of this very effect, whose kind is K.
      return valueIn(await workflows().effect(id, order)) as EffectResult<K>;
    } finally {
      signal.removeEventListener("abort", stop);
    }
  };
  return {
    start: <K extends EffectKind>(effect: Effect<K>, signal: AbortSignal) =>
      settle<K>(effect.id, { effect: ofAnyKind(effect), verb: "start" }, signal),
    resume: async <K extends EffectKind>(effect: Effect<K>, signal: AbortSignal) =>
      settle<K>(await unsettledId(workflows(), effect.id), { effect: ofAnyKind(effect), verb: "resume" }, signal),
  };
}

export type EffectBodyParts = { readonly database: Database; readonly handlers: Handlers; readonly stops: StopSignals };

/** The guard row is the promise: whoever inserts it may perform, everyone after it recovers. */
export function effectBody({ database, handlers, stops }: EffectBodyParts): Bodies["effect"] {
  return async (id, { effect, verb }): Promise<Outcome<unknown>> => {
    const work = await stops.begin(id);
    try {
      return await outcomeOf(async () => {
        const begun = await database.query(
          "INSERT INTO effects (id, begun_at) VALUES ($1, now_ms()) ON CONFLICT (id) DO NOTHING RETURNING id",
          [effect.id],
        );
        if (begun.length === 1 && verb === "start") return handlers.perform(effect, work.signal);
        return handlers.recover(effect, work.signal);
      }, work.signal);
    } finally {
      await work.end();
    }
  };
}

/** The first of `id`, `id~2`, `id~3` … without a last word: one that was stopped or threw is recovered anew. */
async function unsettledId(workflows: Workflows, effectId: string): Promise<string> {
  for (let round = 1; ; round++) {
    const id = round === 1 ? effectId : `${effectId}~${round}`;
    const seen = await workflows.see(id);
    if (!seen || seen.active || seen.outcome?.kind === "final") return id;
  }
}

// Every effect of one kind is an effect; the compiler does not see it while the kind is open.
const ofAnyKind = <K extends EffectKind>(effect: Effect<K>) => effect as Effect;
