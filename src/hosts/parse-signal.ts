import { z } from "zod";
import { Limits } from "../core/budget/budget.ts";
import { RunConfig } from "../core/journal/run-config.ts";
import type { DroppedSignal, Signal } from "../core/ports/host.ts";

/** Names are printed and recorded, so they are bounded. A note is bounded by the size of its signal. */
const name = z.string().max(400);
const senderFields = { by: name, note: z.string().optional() };

const SignalSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("answer"), approval: name, choice: z.string().max(10_000), hash: name, ...senderFields }),
  z.object({
    kind: z.literal("resume"),
    approval: name.optional(),
    limits: Limits.optional(),
    config: RunConfig.optional(),
    ...senderFields,
  }),
  z.object({ kind: z.literal("cancel"), ...senderFields }),
  z.object({ kind: z.literal("pause"), ...senderFields }),
  z.object({ kind: z.literal("stop"), effect: z.string().max(10_000), ...senderFields }),
]);

/**
 * Parses a stored signal. Other programs may write this row: an invalid signal is returned as dropped, so that the
 * others can still be read.
 */
export function parseSignal(text: string, role?: string): Signal | DroppedSignal {
  const { data } = SignalSchema.safeParse(parseStoredJson(text));
  if (!data) return { kind: "dropped", of: "letter", by: role ?? "somebody", why: "it cannot be read" };
  // JSON has no undefined: optional fields are either set or missing.
  return data as Signal;
}

function parseStoredJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
