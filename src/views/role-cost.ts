import { counted } from "../core/text/count.ts";
import type { AttemptView, UsageTotals } from "./attempts.ts";

type RoleUsage = Pick<UsageTotals, "usd" | "usdUnknown" | "inputTokens" | "outputTokens">;

/** The cost of one role, as far as its agents reported it. */
export type RoleCost = RoleUsage & { readonly role: string; readonly dispatches: number; readonly ms: number };

/** Sums cost by role, most expensive first. Sorts by tokens, because not every agent knows its price. */
export function sumCostByRole({ attempts }: { readonly attempts: readonly AttemptView[] }): readonly RoleCost[] {
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
  return roles.toSorted((a, b) => sumTokens(b) - sumTokens(a) || b.usd - a.usd || b.dispatches - a.dispatches);
}

/** Formats a cost: `$0.01 known, 3 dispatches unknown · 1,204 tokens in, 318 out`. Empty until an attempt has ended. */
export function formatCost(cost: RoleUsage): string {
  const unknown = cost.usdUnknown === 0 ? "" : `${counted(cost.usdUnknown, "dispatch", "dispatches")} unknown`;
  const known = cost.usd === 0 && unknown !== "" ? "cost" : `$${cost.usd.toFixed(2)}${unknown ? " known" : ""}`;
  const money = unknown === "" ? (cost.usd === 0 ? "" : known) : `${known}${known === "cost" ? " of" : ","} ${unknown}`;
  const used =
    sumTokens(cost) === 0 ? "" : `${formatNumber(cost.inputTokens)} tokens in, ${formatNumber(cost.outputTokens)} out`;
  return [money, used].filter(Boolean).join(" · ");
}

type Usage = { [Name in "usd" | "inputTokens" | "outputTokens"]?: number | undefined };

/** Formats the usage of one attempt, in tokens if the agent does not know its price. */
export function formatUsage({ usd, inputTokens = 0, outputTokens = 0 }: Usage = {}): string {
  if (usd !== undefined) return `$${usd.toFixed(2)}`;
  return inputTokens + outputTokens === 0 ? "" : `${formatNumber(inputTokens + outputTokens)} tokens`;
}

const sumTokens = ({ inputTokens, outputTokens }: RoleUsage): number => inputTokens + outputTokens;
const formatNumber = (value: number): string => value.toLocaleString("en-US");
