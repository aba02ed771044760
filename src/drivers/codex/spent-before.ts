import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import type { DispatchOrder } from "../../core/ports/driver.ts";
import { readOutside } from "../../node/outside-file.ts";
import { makeOwnFolder } from "../../node/own-folder.ts";

export type Spent = { readonly inputTokens: number; readonly outputTokens: number };

const Total = z.object({ input_tokens: z.number(), output_tokens: z.number() });

export function spentOf({ input_tokens, output_tokens }: z.infer<typeof Total>): Spent {
  return { inputTokens: input_tokens, outputTokens: output_tokens };
}

/**
 * Keeps what a conversation has cost so far, before it is gone on with: Codex then counts on from there. Taken from its
 * own record of the conversation, because a turn that was cut off has told nobody else.
 */
export function noteSpent(order: DispatchOrder, codexHome: string): void {
  if (order.session === undefined) return;
  const record = recordOf(codexHome, order.session);
  if (record === undefined) return;
  makeOwnFolder(order.spool);
  writeFileSync(noteOf(order), JSON.stringify(lastTotal(record)));
}

/** Undefined where it is not known, so that nobody takes all of a conversation for one turn of it. */
export function spentBefore(order: DispatchOrder): Spent | undefined {
  if (order.session === undefined) return NOTHING;
  try {
    // Written by noteSpent alone; a torn write does not parse.
    return JSON.parse(readFileSync(noteOf(order), "utf8")) as Spent;
  } catch {
    return undefined;
  }
}

const MOST_BYTES = 256 * 1024 * 1024;
const NOTHING: Spent = { inputTokens: 0, outputTokens: 0 };

const noteOf = ({ spool }: DispatchOrder): string => join(spool, "spent-before.json");

function recordOf(codexHome: string, session: string): string | undefined {
  const folder = join(codexHome, "sessions");
  try {
    const name = readdirSync(folder, { recursive: true, encoding: "utf8" }).find((each) =>
      each.endsWith(`-${session}.jsonl`),
    );
    // In the agent's own home: it can put anything there.
    const read = name === undefined ? undefined : readOutside(join(folder, name), MOST_BYTES);
    return read?.ok ? read.text : undefined;
  } catch {
    return undefined;
  }
}

const Counted = z.object({
  payload: z.object({ type: z.literal("token_count"), info: z.object({ total_token_usage: Total }) }),
});

function lastTotal(record: string): Spent {
  const last = record
    .split("\n")
    .filter((line) => line.includes('"token_count"'))
    .flatMap((line) => totalIn(line) ?? [])
    .at(-1);
  return last ?? NOTHING;
}

function totalIn(line: string): Spent | undefined {
  try {
    const counted = Counted.safeParse(JSON.parse(line)).data;
    return counted && spentOf(counted.payload.info.total_token_usage);
  } catch {
    return undefined;
  }
}
