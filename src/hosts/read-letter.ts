import { z } from "zod";
import { Limits } from "../core/budget/budget.ts";
import { RunConfig } from "../core/journal/run-config.ts";
import type { DroppedLetter, Signal } from "../core/ports/host.ts";

/** Names, which are printed and recorded; a note is bounded with the letter. */
const name = z.string().max(400);
const said = { by: name, note: z.string().optional() };

const Letter = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("answer"), approval: name, choice: z.string().max(10_000), hash: name, ...said }),
  z.object({
    kind: z.literal("resume"),
    approval: name.optional(),
    limits: Limits.optional(),
    config: RunConfig.optional(),
    ...said,
  }),
  z.object({ kind: z.literal("cancel"), ...said }),
  z.object({ kind: z.literal("pause"), ...said }),
  z.object({ kind: z.literal("stop"), effect: z.string().max(10_000), ...said }),
]);

/**
 * A letter as its row has it. Others than us may write that row: what is none is for the run's owner to drop, and keeps nobody
 * from reading the others.
 */
export function readLetter(text: string, role?: string): Signal | DroppedLetter {
  const { data } = Letter.safeParse(parsed(text));
  if (!data) return { kind: "dropped", of: "letter", by: role ?? "somebody", why: "it cannot be read" };
  // JSON has no undefined: what may be absent is absent.
  return data as Signal;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
