import { join } from "node:path";
import { createTranscript } from "../../drivers/transcript.ts";
import { cleanText } from "../../surfaces/terminal/clean-text.ts";
import { formatTokens } from "../../surfaces/terminal/format-tokens.ts";
import { formatSeconds } from "../../surfaces/terminal/live/format-seconds.ts";
import type { RunningAgent } from "../../views/page/page.ts";
import { readTail, resolveSpool } from "../inspect/spool-text.ts";
import type { RunStore } from "../runs/run-store.ts";

type AgentLocation = { readonly run: string; readonly agent: RunningAgent };

/** Returns the end of an agent's transcript so far, as text. */
export async function readTranscriptText(
  store: RunStore,
  { run, agent }: AgentLocation,
  most = 2_000,
): Promise<string> {
  const file = join(resolveSpool(store, { run, effect: agent.effect }), "stdout");
  const tail = await readTail({ file, most: Number.POSITIVE_INFINITY, redact: store.world.redact });
  if (!tail) return "No output yet.";
  const transcript = createTranscript({ begun: tail.cut });
  const lines = tail.lines.flatMap((line) => transcript.lines(line)).map(cleanText);
  const left = tail.cut || lines.length > most ? [`… full transcript: signalbox logs ${run} --lines all`] : [];
  return [...left, ...lines.slice(-most)].join("\n") || "No output yet.";
}

/** Formats everything known about a running agent. */
export async function formatAgentDetails(store: RunStore, { run, agent }: AgentLocation): Promise<string> {
  const now = store.world.now();
  const { who, role, key, phase, round, attempt, by, since, silence, lastAction, reservedUsd, said } = agent;
  const facts: readonly (readonly [string, string])[] = [
    ["agent", who],
    ["role", role],
    ["step", key],
    ["phase", round > 1 ? `${phase}, round ${round}` : phase],
    ["attempt", String(attempt)],
    ["driver", by ?? "unknown"],
    ["running", `${formatSeconds(now - since)}, since ${new Date(since).toTimeString().slice(0, 8)}`],
    ["silent", silence ? `${formatSeconds(silence.forMs)}; terminated in ${formatSeconds(silence.leftMs)}` : "unknown"],
    ["last", lastAction?.text ?? "no action yet"],
    ["reserved", reservedUsd > 0 ? `~$${reservedUsd.toFixed(2)}` : "nothing"],
    ["used", said ? `${formatTokens(said.tokens)} tokens, $${said.usd.toFixed(2)} by earlier attempts` : "unknown"],
    ["prompt", `signalbox logs ${run} --prompt '${key}'`],
  ];
  const head = facts.map(([name, text]) => `${name.padEnd(10)}${cleanText(text)}`);
  return store.world.redact([...head, "", await readTranscriptText(store, { run, agent }, 40)].join("\n"));
}
