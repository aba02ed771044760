import type { Mutants } from "./break.ts";

const AT = "src/pipelines/phases";

export const mutants: Mutants = {
  "P-19": {
    file: `${AT}/acting/acting-rules.ts`,
    from: '=> judgePart("contract", problems)',
    to: '=> judgePart("contract", [])',
  },
  "P-20": { file: `${AT}/acting/acting-rules.ts`, from: "risks.length === 0 || confirmed", to: "true" },
  "P-21": { file: `${AT}/acting/waves.ts`, from: "`, cap });", to: "` });" },
  "P-22": {
    file: `${AT}/planning/plan-rules.ts`,
    from: "plan.phases.flatMap((phase, at) => listClashes(phase, plan.phases.slice(at + 1)))",
    to: "[]",
  },
  "P-23": { file: `${AT}/acting/acting-rules.ts`, from: 'build.outcome === "passed" ? []', to: "true ? []" },
  "P-24": {
    file: `${AT}/acting/acting-rules.ts`,
    from: "{ passed: false, findings: blocking }",
    to: "{ passed: true, findings: blocking }",
  },
  "P-25": {
    file: `${AT}/acting/acting-rules.ts`,
    from: 'code: ["tests", "build", "lint", "review", "todo"]',
    to: 'code: ["build", "review"]',
  },
  "P-26": { file: `${AT}/todo.ts`, from: "!item.done && item.wave < phase.wave", to: "false" },
  "P-27": { file: `${AT}/todo.ts`, from: "item.done !== complete.includes(item.phase_id)", to: "false" },
  "P-28": { file: `${AT}/acting/failures.ts`, from: "total > getRetryLimit(last, budgets)", to: "false" },
  "P-29": { file: `${AT}/acting/failures.ts`, from: "failures.length > budgets.max_retries_per_phase", to: "false" },
  "P-30": { file: `${AT}/acting/acting-rules.ts`, from: "failed === undefined ? [] : [failed]", to: "[]" },
  "P-31": {
    file: `${AT}/acting/failures.ts`,
    from: "phases.size >= budgets.per_wave_transient_reduction_threshold",
    to: "false",
  },
  "P-32": {
    file: `${AT}/acting/failures.ts`,
    from: "limits.retry_budgets.backoff_base_ms * 2 ** (failures.length - 1)",
    to: "0",
  },
  "P-33": {
    file: `${AT}/planning/clarification.ts`,
    from: 'auto: risky ? "never" : recommended_option',
    to: 'auto: options[0]?.id ?? "never"',
  },
  "P-34": {
    file: `${AT}/acting/approvals.ts`,
    from: "? wave.map((phase) => [phase]) : [wave]",
    to: "? [wave] : [wave]",
  },
  "P-38": {
    file: `${AT}/acting/acting-rules.ts`,
    from: "!present.includes(path) && !explained.includes(path)",
    to: "false && path",
  },
  "P-39": { file: `${AT}/review/final-review.ts`, from: "b.phase_id - a.phase_id", to: "a.phase_id - b.phase_id" },
  "P-40": {
    file: `${AT}/closing/outcome.ts`,
    from: 'before?.text ?? "# Session outcomes\\n"',
    to: '"# Session outcomes\\n"',
  },
  "P-41": { file: "src/pipelines/phases/closing/commit-message.ts", from: "(?:phases?|waves?)", to: "(?:neither)" },
  "P-43": { file: `${AT}/closing/notes.ts`, from: "fence || fenced || TRANSIENT.test(each)", to: "fence || fenced" },
  "P-44": { file: `${AT}/closing/status.ts`, from: "state: moment.state,", to: "" },
  "P-51": { file: `${AT}/planning/replan.ts`, from: "judgedBy(reaches.map(", to: "judgedBy([].map(" },
  "P-52": {
    file: `${AT}/acting/acting-rules.ts`,
    from: "judge: ({ risks, confirmed }: RiskApproval) =>",
    to: "judge: ({ risks, confirmed }: RiskApproval) => confirmed || true ? { passed: true } :",
  },
  "P-53": {
    file: `${AT}/planning/clarification.ts`,
    from: 'question.class !== "answerable" && ids',
    to: "false && ids",
  },
  "P-54": {
    file: `${AT}/planning/clarification.ts`,
    from: 'work.ok && work.value.status === "NEEDS_INPUT"',
    to: 'work.ok && work.value.status === "NEEDS_INPUT" && !("failure_classification" in work.value)',
  },
  "P-59": {
    file: "src/pipelines/phases/acting/phase-review.ts",
    from: "changed_files: changed,",
    to: "changed_files: work.changes.map(({ file }) => file),",
  },
  "P-60": {
    file: `${AT}/acting/phase.ts`,
    from: "return { revision: blocking };",
    to: "return { revision: [] };",
  },
  "P-61": { file: `${AT}/review/code-review.ts`, from: "!isAbstaining(verdict) &&", to: "true ||" },
  "P-62": { file: `${AT}/acting/escalation.ts`, from: "attempts: faults.map(", to: "attempts: faults.slice(-1).map(" },
  "P-63": {
    file: `${AT}/acting/approvals.ts`,
    from: 'if (first.choice !== "details") return { ...first, choice: first.choice };',
    to: 'if (first.choice) return { ...first, choice: first.choice === "n" ? "n" : "y" };',
  },
  "P-64": { file: `${AT}/acting/approvals.ts`, from: "!progress.shown.has(phase.phase_id)", to: "false && phase" },
  "P-65": {
    file: `${AT}/todo.ts`,
    from: "todo.filter((item) => !item.done).map(",
    to: "todo.filter(() => false).map(",
  },
  "P-66": {
    file: `${AT}/review/final-review.ts`,
    from: "enabled_by_default || auto_trigger_tiers.includes(",
    to: "false && auto_trigger_tiers.includes(",
  },
  "P-67": {
    file: `${AT}/acting/acting-rules.ts`,
    from: "passed: issues.length === 0, findings: issues",
    to: "passed: true",
  },
  "P-68": { file: `${AT}/acting/phase-end.ts`, from: "-complete.md`;", to: "-done.md`;" },
  "P-73": { file: `${AT}/acting/execute-phase.ts`, from: "lean: refusals > 0", to: "lean: false" },
  "P-76": { file: `${AT}/acting/payload.ts`, from: "...(hint === undefined ? {} : { fix_hint: hint }),", to: "" },
  "P-78": { file: `${AT}/closing/outcome-entry.ts`, from: "`- Convergence: ", to: "`- " },
  "P-80": {
    file: "src/pipelines/phases/closing/commit-message.ts",
    from: "const SUBJECT_LENGTH = 50;",
    to: "const SUBJECT_LENGTH = 500;",
  },
};
