import { useState } from "react";
import { go, runPath } from "../../app/router.tsx";
import { post } from "../../data/api.ts";

/** One thing that is done to a run. While the server works on it, and after a refusal, the button says so. */
export function useAction(run: string, action: string) {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<Error | null>(null);
  const act = async (body: unknown, after?: (done: unknown) => void): Promise<void> => {
    setBusy(true);
    setError(null);
    try {
      const done = await post(`/runs/${encodeURIComponent(run)}/${action}`, body);
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
    off: busy ? "asked for, not yet answered" : null,
  };
}

/** What a person is told before one agent is stopped, wherever that is done. */
export const STOP_SAYS =
  "The attempt fails. Built-in pipelines do not try it again: where nobody else can go on, the run ends.";

/** Where an action made another run, that one is shown. */
export function showRun(done: unknown): void {
  const run = (done as { readonly run?: unknown } | null)?.run;
  if (typeof run === "string") go(runPath(run));
}
