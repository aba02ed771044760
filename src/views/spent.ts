import { counted } from "../core/text/counted.ts";
import type { AttemptSeen, Spent } from "./attempts.ts";

type Cost = Pick<Spent, "usd" | "usdUnknown" | "inputTokens" | "outputTokens">;

/** What one role has cost, as far as its agents said. */
export type RoleCost = Cost & { readonly role: string; readonly dispatches: number; readonly ms: number };

/** The dearest first: by tokens, as not every agent knows its price. */
export function spentByRole({ attempts }: { readonly attempts: readonly AttemptSeen[] }): readonly RoleCost[] {
  const roles = [...Map.groupBy(attempts, ({ started }) => started.role)].map(([role, tries]) => {
    const ends = tries.flatMap(({ finished }) => finished ?? []);
    const sum = (of: (end: (typeof ends)[number]) => number | undefined): number =>
      ends.reduce((total, end) => total + (of(end) ?? 0), 0);
    return {
      role,
      dispatches: tries.length,
      ms: sum(({ ms }) => ms),
      usd: sum(({ usage }) => usage?.usd),
      usdUnknown: ends.filter(({ usage }) => usage?.usd === undefined).length,
      inputTokens: sum(({ usage }) => usage?.inputTokens),
      outputTokens: sum(({ usage }) => usage?.outputTokens),
    };
  });
  return roles.toSorted((a, b) => tokens(b) - tokens(a) || b.usd - a.usd || b.dispatches - a.dispatches);
}

/** `$0.01 known, 3 dispatches unknown · 1,204 tokens in, 318 out`; empty where nobody has ended yet. */
export function costText(cost: Cost): string {
  const unknown = cost.usdUnknown === 0 ? "" : `${counted(cost.usdUnknown, "dispatch", "dispatches")} unknown`;
  const known = cost.usd === 0 && unknown !== "" ? "cost" : `$${cost.usd.toFixed(2)}${unknown ? " known" : ""}`;
  const money = unknown === "" ? (cost.usd === 0 ? "" : known) : `${known}${known === "cost" ? " of" : ","} ${unknown}`;
  const used = tokens(cost) === 0 ? "" : `${number(cost.inputTokens)} tokens in, ${number(cost.outputTokens)} out`;
  return [money, used].filter(Boolean).join(" · ");
}

type Usage = { [Name in "usd" | "inputTokens" | "outputTokens"]?: number | undefined };

/** Of one attempt: in tokens where the agent does not know its price. */
export function usageText({ usd, inputTokens = 0, outputTokens = 0 }: Usage = {}): string {
  if (usd !== undefined) return `$${usd.toFixed(2)}`;
  return inputTokens + outputTokens === 0 ? "" : `${number(inputTokens + outputTokens)} tokens`;
}

const tokens = ({ inputTokens, outputTokens }: Cost): number => inputTokens + outputTokens;
const number = (value: number): string => value.toLocaleString("en-US");
