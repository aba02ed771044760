import type { Finding } from "../../core/finding.ts";
import { type Judgement, valueRule } from "../../core/rule.ts";
import type { Status } from "./contracts.ts";

/** How one agent of a cluster ended; `missing` when nothing usable came. */
export type Member = {
  readonly name: string;
  readonly status: Status | "missing";
  readonly findings: readonly Finding[];
};

export type Aggregate = { readonly status: Status; readonly why: string };

/** The verification table. The engine's own build decides the gate, whatever the agent says of it. */
export function verificationOf(cluster: { buildPassed: boolean; build: Member; others: readonly Member[] }): Aggregate {
  const { buildPassed, build, others } = cluster;
  if (!buildPassed) return { status: "ERROR", why: "the build is red" };
  if (isLost(build)) return { status: "ERROR", why: "v-build failed" };
  const lost = others.filter(isLost);
  const revise = others.filter((member) => member.status === "NEEDS_REVISION");
  if (lost.length >= 2) return { status: "ERROR", why: `${names(lost)} gave no result` };
  if (revise.length > 0 && lost.length > 0)
    return { status: "ERROR", why: `${names(revise)} object, ${names(lost)} failed` };
  if (revise.length > 0) return { status: "NEEDS_REVISION", why: `${names(revise)} object` };
  const serious = others.some((member) => member.findings.some((finding) => finding.severity !== "minor"));
  if (lost.length === 1 && serious) return { status: "NEEDS_REVISION", why: `findings, and a gap: ${names(lost)}` };
  return { status: "DONE", why: lost.length === 1 ? `gap: ${names(lost)}` : "" };
}

/** The review table. Security decides first; what r-knowledge does never changes the result. */
export function reviewOf(members: readonly Member[]): Aggregate {
  const counted = members.filter((member) => member.name !== "r-knowledge");
  const security = counted.find((member) => member.name === "r-security");
  if (!security || isLost(security)) return { status: "ERROR", why: "security was not reviewed" };
  const critical = security.findings.filter(
    (finding) => finding.severity === "blocker" || finding.severity === "critical",
  );
  if (critical.length > 0) return { status: "ERROR", why: `security: ${critical[0]?.message ?? ""}` };
  const lost = counted.filter(isLost);
  if (lost.length >= 2) return { status: "ERROR", why: `${names(lost)} gave no result` };
  const revise = counted.filter(
    (member) => member.status === "NEEDS_REVISION" || member.findings.some((finding) => finding.severity !== "minor"),
  );
  if (revise.length > 0) return { status: "NEEDS_REVISION", why: `${names(revise)} object` };
  return { status: "DONE", why: lost.length === 1 ? `gap: ${names(lost)}` : "" };
}

/** An aggregator may be stricter than its table, never milder. */
export function stricter(table: Aggregate, said: Status | "missing"): Aggregate {
  const order: readonly (Status | "missing")[] = ["DONE", "NEEDS_REVISION", "ERROR", "missing"];
  if (order.indexOf(said) <= order.indexOf(table.status)) return table;
  return { status: said === "missing" ? "ERROR" : said, why: "the aggregator objects" };
}

type Judged = { readonly aggregate: Aggregate; readonly findings: readonly Finding[] };

const asJudgement = ({ aggregate, findings }: Judged): Judgement => {
  const why: Finding[] = aggregate.why ? [{ severity: "major", message: aggregate.why }] : [];
  const passed = aggregate.status === "DONE";
  return { passed, findings: passed ? findings : [...why, ...findings], actual: aggregate.status, need: "DONE" };
};

export const CT = valueRule({ id: "C-10", because: "the critics have nothing serious left", judge: asJudgement });
export const V = valueRule({ id: "C-13", because: "the feature is verified as a whole", judge: asJudgement });
export const R = valueRule({ id: "C-16", because: "the reviewers let the feature pass", judge: asJudgement });

export const COMPLETE = valueRule({
  id: "C-25",
  because: "verification and review both ended well, and the last tree still builds",
  judge: ({ verified, reviewed, holds }: { verified: boolean; reviewed: boolean; holds: boolean }) => ({
    passed: verified && reviewed && holds,
  }),
});

const FULL = /(^|\/)(auth|data|db|database|migrations?|payments?|billing|admin|network|api|public|core)(\/|[.-])/i;
const LIGHT = /(\.(md|txt|rst|json|ya?ml|toml|lock|ini|cfg)|(^|\/)(docs?|\.github)\/.*)$/i;

export type Tier = "Full" | "Standard" | "Lightweight";

export function tierOf(files: readonly string[]): Tier {
  if (files.some((file) => FULL.test(file) && !LIGHT.test(file))) return "Full";
  return files.every((file) => LIGHT.test(file)) ? "Lightweight" : "Standard";
}

const isLost = (member: Member): boolean => member.status === "ERROR" || member.status === "missing";
const names = (members: readonly Member[]): string => members.map((member) => member.name).join(", ");
