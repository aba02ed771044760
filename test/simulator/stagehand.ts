import type { AttemptResult, Effect, EffectKind, WriteRequest } from "../../src/core/journal/effect.ts";
import { type Plan, planOf } from "./agents.ts";
import type { Life } from "./life.ts";
import { act, type Scene } from "./scene.ts";

type StartedAttempt = { readonly plan: Plan; readonly endsAt: number; readonly survives: boolean; over: boolean };

export type Stagehand = {
  perform(life: Life, effect: Effect, signal: AbortSignal): Promise<unknown>;
  recover(life: Life, effect: Effect, signal: AbortSignal): Promise<unknown>;
  restore(life: Life, lost: readonly WriteRequest[]): void;
};

export function createStagehand(scene: Scene): Stagehand {
  const attempts = new Map<string, StartedAttempt>();
  const working = new Map<Life, number>();
  const { witness, clock } = scene;

  const note = (life: Life, effect: Effect, how: "start" | "resume"): void => {
    const base = effect.id.slice(0, effect.id.lastIndexOf("@"));
    witness.begun.push({
      id: effect.id,
      kind: effect.kind,
      how,
      at: clock.now(),
      owner: life.owner,
      intended: witness.intents.has(effect.kind === "attempt" ? effect.id : base),
      underWay: (working.get(life) ?? 0) + (effect.kind === "attempt" && how === "start" ? 1 : 0),
      ended: witness.ended,
      wasStopped: life.process.wasStopped,
    });
    if (life.fenced) witness.afterFence.push(effect.id);
  };

  /** Half of the agents had named a conversation by then, and can continue it. */
  const cutOff = ({ id }: Effect): AttemptResult =>
    scene.chance.of(`${id} talks`).odds(0.5) ? { outcome: "interrupted", session: id } : { outcome: "interrupted" };

  const attempt = async (life: Life, effect: Effect<"attempt">, signal: AbortSignal): Promise<AttemptResult> => {
    const chance = scene.chance.of(effect.id);
    const plan = planOf(scene.cast, effect, chance);
    const begun: StartedAttempt = { plan, endsAt: clock.now() + plan.ms, survives: chance.odds(0.3), over: false };
    attempts.set(effect.id, begun);
    witness.roles.add(effect.request.role);
    if (plan.unreadable) witness.unreadable.set(effect.id, plan.habit);
    witness.tell(`${life.owner} dispatches ${effect.id}: ${plan.habit}, ${plan.ms} ms`);
    working.set(life, (working.get(life) ?? 0) + 1);
    await clock.sleep(plan.ms, signal);
    working.set(life, (working.get(life) ?? 0) - 1);
    if (signal.aborted) return cutOff(effect);
    begun.over = life.process.state !== "dead";
    return plan.result;
  };

  const other = async (
    life: Life,
    effect: Effect<Exclude<EffectKind, "attempt">>,
    signal: AbortSignal,
  ): Promise<unknown> => {
    const chance = scene.chance.of(`${effect.id} ${witness.begun.length}`);
    await clock.sleep(effect.kind === "check" ? chance.magnitude(500, 60_000) : chance.between(0, 40), signal);
    await life.process.passing();
    const error = scene.broken();
    if (error) throw error;
    return act(scene, effect);
  };

  return {
    async perform(life, effect, signal) {
      note(life, effect, "start");
      return effect.kind === "attempt" ? attempt(life, effect, signal) : other(life, effect, signal);
    },
    async recover(life, effect, signal) {
      note(life, effect, "resume");
      if (effect.kind !== "attempt") return other(life, effect, signal);
      const begun = attempts.get(effect.id);
      // An agent that outlived its engine has answered into a file, or is still running and is terminated.
      const answered = begun && (begun.over || (begun.survives && begun.endsAt <= clock.now()));
      witness.tell(`${life.owner} ${answered ? "adopts" : "gives up"} ${effect.id}`);
      if (!answered) return cutOff(effect);
      const { result } = begun.plan;
      return result.outcome === "done" ? { ...result, adopted: true } : result;
    },
    restore(life, lost) {
      if (life.fenced) witness.afterFence.push(...lost.map(({ path }) => `restores ${path}`));
    },
  };
}
