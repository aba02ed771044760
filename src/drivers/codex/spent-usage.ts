import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import type { DispatchOrder } from "../../core/ports/driver.ts";
import { readOutside } from "../../node/outside-file.ts";
import { makeOwnFolder } from "../../node/own-folder.ts";

export type TokenUsage = { readonly inputTokens: number; readonly outputTokens: number };

const Total = z.object({ input_tokens: z.number(), output_tokens: z.number() });

export function toTokenUsage({ input_tokens, output_tokens }: z.infer<typeof Total>): TokenUsage {
  return { inputTokens: input_tokens, outputTokens: output_tokens };
}

/**
 * Stores the usage of a conversation before it is resumed, because Codex continues counting from there. Read from
 * Codex's own record, because an interrupted turn reported none.
 */
export function saveSpentUsage(order: DispatchOrder, codexHome: string): void {
  if (order.session === undefined) return;
  const record = readSessionRecord(codexHome, order.session);
  if (record === undefined) return;
  makeOwnFolder(order.spool);
  writeFileSync(getNotePath(order), JSON.stringify(findLastTotal(record)));
}

/** Returns undefined if unknown, so that the usage of a whole conversation is not attributed to one turn. */
export function readSpentUsage(order: DispatchOrder): TokenUsage | undefined {
  if (order.session === undefined) return NO_USAGE;
  try {
    // Written by `saveSpentUsage` only; a partial write does not parse.
    return JSON.parse(readFileSync(getNotePath(order), "utf8")) as TokenUsage;
  } catch {
    return undefined;
  }
}

const MOST_BYTES = 256 * 1024 * 1024;
const NO_USAGE: TokenUsage = { inputTokens: 0, outputTokens: 0 };

const getNotePath = ({ spool }: DispatchOrder): string => join(spool, "spent-before.json");

function readSessionRecord(codexHome: string, session: string): string | undefined {
  const folder = join(codexHome, "sessions");
  try {
    const name = readdirSync(folder, { recursive: true, encoding: "utf8" }).find((each) =>
      each.endsWith(`-${session}.jsonl`),
    );
    // The file is in the agent's home, so its content is not trusted.
    const read = name === undefined ? undefined : readOutside(join(folder, name), MOST_BYTES);
    return read?.ok ? read.text : undefined;
  } catch {
    return undefined;
  }
}

const TokenCount = z.object({
  payload: z.object({ type: z.literal("token_count"), info: z.object({ total_token_usage: Total }) }),
});

function findLastTotal(record: string): TokenUsage {
  const last = record
    .split("\n")
    .filter((line) => line.includes('"token_count"'))
    .flatMap((line) => parseTotal(line) ?? [])
    .at(-1);
  return last ?? NO_USAGE;
}

function parseTotal(line: string): TokenUsage | undefined {
  try {
    const counted = TokenCount.safeParse(JSON.parse(line)).data;
    return counted && toTokenUsage(counted.payload.info.total_token_usage);
  } catch {
    return undefined;
  }
}
