import { createRealWorld } from "../src/cli/real-world.ts";
import type { ProcessExit } from "../src/core/ports/processes.ts";
import { createCommandDriver } from "../src/drivers/command/command-driver.ts";
import { createSupervisor } from "../src/processes/supervisor.ts";
import { type Marks, withDispatches } from "./dispatches.ts";
import { atMost, type Figure, percentile, shown } from "./figure.ts";
import { smallRepository } from "./small-repository.ts";

const DISPATCHES = 60;
const WARM_UP = 5;

/** Agent that answers immediately and prints the time in nanoseconds to standard error last. */
const AGENT = `nonce=$(sed -n 's/.*"nonce": *"\\([^"]*\\)".*/\\1/p' | head -n 1)
printf '{"nonce": "%s", "contract": {"did": "nothing"}}\\n' "$nonce"
exec date +%s%N >&2`;

/**
 * Measures what the engine adds to a dispatch: from the verb to a running process, and from its end to a stored
 * result.
 */
export async function dispatchFigures(dir: string): Promise<Figure[]> {
  const marks = (await dispatchAll(dir)).slice(WARM_UP);
  const before = marks.map((mark) => mark.started - mark.verb - mark.opening);
  const after = marks.map((mark) => mark.recorded - mark.exited);
  const added = before.map((ms, at) => ms + (after[at] ?? Number.NaN));
  const p50 = (values: readonly number[]) => percentile(values, 0.5);
  return [
    atMost({
      name: "engine overhead of a dispatch without opening the tree, p50",
      value: p50(added),
      target: 10,
      unit: "ms",
      from: `${shown(p50(before))} before the start, ${shown(p50(after))} after the end; p95 ${shown(percentile(added, 0.95))}`,
    }),
    { name: "opening the tree, p50", reached: `${shown(p50(marks.map((mark) => mark.opening)))} ms` },
  ];
}

async function dispatchAll(dir: string): Promise<readonly Marks[]> {
  const marks: Marks[] = [];
  const stage = {
    dir,
    repo: smallRepository(dir),
    driver: createCommandDriver({ name: "agent", argv: ["sh", "-c", AGENT] }),
    processes: createSupervisor({ world: createRealWorld() }),
    writes: false,
    endOf: ({ stderrTail }: ProcessExit) => Number(stderrTail) / 1e6,
  };
  await withDispatches(stage, async (dispatch) => {
    for (let n = 0; n < DISPATCHES; n += 1) marks.push(await dispatch());
  });
  return marks;
}
