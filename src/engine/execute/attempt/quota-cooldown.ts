import { isQuotaFailure } from "../../../core/budget/quota.ts";
import type { Failure } from "../../../core/failure/failure.ts";
import type { AttemptRequest, AttemptResult, Effect } from "../../../core/journal/effect.ts";
import type { Definition } from "../../../core/ports/definitions.ts";
import type { ExecutorDeps } from "../executor.ts";

type ExecuteAttempt = (effect: Effect<"attempt">, signal: AbortSignal) => Promise<AttemptResult>;
type CooldownDeps = Pick<ExecutorDeps, "definitions" | "pipelines" | "world">;

export type QuotaCooldown = {
  /** Fails at once without starting a process if the agent is known to be refused until later. */
  around(perform: ExecuteAttempt): ExecuteAttempt;
  /** Adds only which agent could run instead of a refused one. */
  after(perform: ExecuteAttempt): ExecuteAttempt;
};

export function createQuotaCooldown(parts: CooldownDeps): QuotaCooldown {
  const closed = new Map<string, Failure>();
  const recordCooldown = async (result: AttemptResult, request: AttemptRequest): Promise<AttemptResult> => {
    const usedUp = result.outcome === "failed" && isQuotaFailure(result.failure);
    if (!usedUp && closed.size === 0) return result;
    const definition = await findDefinition(parts, request);
    // A successful answer ends any earlier cooldown.
    if (definition && result.outcome === "done") closed.delete(getWindowName(definition));
    if (!usedUp) return result;
    if (definition && result.failure.wakeAt !== undefined) closed.set(getWindowName(definition), result.failure);
    return definition?.instead === undefined ? result : { ...result, instead: definition.instead };
  };
  return {
    around: (perform) => async (effect, signal) => {
      const asks = closed.size > 0 && !effect.request.anew;
      const definition = asks ? await findDefinition(parts, effect.request) : undefined;
      const failure = definition && closed.get(getWindowName(definition));
      if (!failure || (failure.wakeAt ?? 0) <= parts.world.now()) {
        return recordCooldown(await perform(effect, signal), effect.request);
      }
      return recordCooldown({ outcome: "failed", failure, usage: NOTHING, ms: 0 }, effect.request);
    },
    after: (perform) => async (effect, signal) => recordCooldown(await perform(effect, signal), effect.request),
  };
}

const NOTHING = { inputTokens: 0, outputTokens: 0, usd: 0 };

async function findDefinition({ definitions, pipelines }: CooldownDeps, request: AttemptRequest) {
  const pipeline = pipelines(request.pipeline);
  return pipeline && definitions.define(pipeline, request.role, request.instead);
}

/** Returns the key of a usage window. Each model of an agent has its own window. */
function getWindowName({ driver, model }: Definition): string {
  return `${driver.name}:${model ?? ""}`;
}
