import { stat } from "node:fs/promises";
import { join } from "node:path";
import { createTranscript } from "../../../drivers/transcript.ts";
import { toOneLine } from "../../../surfaces/terminal/clean-text.ts";
import type { AgentView } from "../../../views/attempts.ts";
import type { RunningAgent } from "../../../views/page/page.ts";
import { readTail, resolveSpool, type SpoolStore } from "../../inspect/spool-text.ts";

type LastAction = NonNullable<RunningAgent["lastAction"]>;
type AgentRef = Pick<AgentView, "effect">;

/** Large enough to contain the last action, and small enough to be read often. */
const TAIL_BYTES = 64 * 1024;
const TAIL_LINES = 200;
const MOST_AGENTS = 64;

/** Returns the last action of each agent by effect, read from the end of its output, without secrets. */
export async function readLastActions(
  store: SpoolStore,
  run: string,
  agents: readonly AgentRef[],
): Promise<ReadonlyMap<string, LastAction>> {
  const found = await Promise.all(
    agents.slice(0, MOST_AGENTS).map(async ({ effect }) => [effect, await readLastAction(store, run, effect)] as const),
  );
  return new Map(found.flatMap(([effect, action]) => (action ? [[effect, action]] : [])));
}

async function readLastAction(store: SpoolStore, run: string, effect: string): Promise<LastAction | undefined> {
  const file = join(resolveSpool(store, { run, effect }), "stdout");
  const changed = await stat(file).catch(() => undefined);
  if (!changed || changed.size === 0) return undefined;
  const tail = await readTail({ file, most: TAIL_LINES, bytes: TAIL_BYTES, redact: store.world.redact });
  const transcript = createTranscript({ begun: true });
  const lines = (tail?.lines ?? []).flatMap((line) => transcript.lines(line)).map((line) => toOneLine(line));
  const text = lines.findLast((line) => line !== "");
  return text === undefined ? undefined : { text, at: Math.round(changed.mtimeMs) };
}
