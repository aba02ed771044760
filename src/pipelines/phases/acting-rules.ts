import { valueRule } from "../../core/rule.ts";
import type { Evidence } from "../../core/verbs.ts";
import type { Phase, Plan, Report, Verdict } from "./contracts.ts";
import { asFinding, judged, major } from "./findings.ts";
import { kindOf, type PhaseKind } from "./plan-rules.ts";

type Preflect = { readonly phase: Phase; readonly approved: readonly number[]; readonly done: readonly number[] };

/** What must hold before a phase is dispatched. */
export const PREFLECT = [
  valueRule({
    id: "P-19",
    because: "the phases it depends on are complete, with evidence",
    judge: ({ phase, done }: Preflect) =>
      judged(phase.dependencies.filter((id) => !done.includes(id)).map((id) => `phase ${id} is not complete`)),
  }),
  valueRule({
    id: "P-20",
    because: "nothing destructive starts without a person's yes",
    judge: ({ phase, approved }: Preflect) => {
      const refused = phase.destructive && !approved.includes(phase.phase_id);
      return refused
        ? { ...judged([`phase ${phase.phase_id} is destructive and not approved`]), blocked: true }
        : judged([]);
    },
  }),
] as const;

type Finished = {
  readonly kind: PhaseKind;
  readonly report: Pick<Report, "status" | "summary">;
  readonly evidence?: Pick<Evidence, "passed" | "checks" | "regressions"> | undefined;
  readonly verdict?: Pick<Verdict, "validated_blocking_issues"> | undefined;
};

/** When a phase is complete. */
export const COMPLETE = [
  valueRule({
    id: "P-23",
    because: "code counts as built when the engine saw it build",
    judge: ({ kind, evidence }: Finished) => {
      if (kind !== "code" || evidence?.passed) return { passed: true };
      const red = evidence?.checks.filter((check) => !check.passed).map((check) => `${check.name} is red`) ?? [];
      return judged(red.length > 0 ? red : ["no build evidence"]);
    },
  }),
  valueRule({
    id: "P-24",
    because: "only issues that the reviewer has confirmed in the code block",
    judge: ({ kind, verdict }: Finished) => {
      if (kind === "read-only") return { passed: true };
      if (!verdict) return judged(["nobody has reviewed it"]);
      const findings = verdict.validated_blocking_issues.map(asFinding);
      return { passed: findings.length === 0, findings };
    },
  }),
] as const;

type Whole = {
  readonly plan: Plan;
  readonly changed: readonly string[];
  readonly evidence: Pick<Evidence, "passed" | "regressions">;
};

/** Everything together: nothing outside the plan, and no check worse than before. */
export const WHOLE = valueRule({
  id: "P-38",
  because: "the integrated work holds and stays inside the plan",
  judge: ({ plan, changed, evidence }: Whole) => {
    const planned = new Set(plan.phases.flatMap((phase) => phase.files.map((file) => file.path)));
    const outside = changed.filter((path) => !planned.has(path) && !path.startsWith("plans/"));
    const needsBuild = plan.phases.some((phase) => kindOf(phase) === "code");
    const findings = [...outside.map((path) => major(`${path} is not in the plan`)), ...evidence.regressions];
    return { passed: outside.length === 0 && (evidence.passed || !needsBuild), findings };
  },
});
