import { useState } from "react";
import { navigate, toRunPath } from "../../app/router.tsx";
import { postJson } from "../../data/api.ts";

/** Runs an action on a run. `off` disables its button while the request is in progress. */
export function useAction(run: string, action: string) {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<Error | null>(null);
  const act = async (body: unknown, after?: (done: unknown) => void): Promise<void> => {
    setBusy(true);
    setError(null);
    try {
      const done = await postJson(`/runs/${encodeURIComponent(run)}/${action}`, body);
      after?.(done);
    } catch (refused) {
      setError(refused instanceof Error ? refused : new Error(String(refused)));
    } finally {
      setBusy(false);
    }
  };
  return {
    act: (body: unknown, after?: (done: unknown) => void) => void act(body, after),
    error,
    off: busy ? "in progress" : null,
  };
}

/** Warning shown before an agent is stopped. */
export const STOP_SAYS =
  "The attempt fails. Built-in pipelines do not retry it; if no other agent can continue, the run ends.";

/** Opens the new run if the action created one. */
export function showRun(done: unknown): void {
  const run = (done as { readonly run?: unknown } | null)?.run;
  if (typeof run === "string") navigate(toRunPath(run));
}
