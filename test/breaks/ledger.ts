import type { Mutants } from "./break.ts";

const AT = "src/pipelines/ledger";

export const mutants: Mutants = {
  "L-01": { file: `${AT}/index.ts`, from: 'skip("9 Commit", reason);', to: "" },
  "L-02": {
    file: `${AT}/rules.ts`,
    from: "passed: blocking.length === 0, blocked: blocking.length > 0",
    to: "passed: true, blocked: false",
  },
  "L-04": { file: `${AT}/planning/research.ts`, from: "const ENOUGH = 2;", to: "const ENOUGH = 1;" },
  "L-05": {
    file: `${AT}/planning/research.ts`,
    from: '(["proceed", "expand", "abort", "other"] as const)',
    to: '(["proceed", "abort"] as const)',
  },
  "L-06": { file: `${AT}/index.ts`, from: "retry: once(),", to: "" },
  "L-07": {
    file: `${AT}/contracts.ts`,
    from: '  "pragmatic-verifier": "which case was forgotten, which requirement is not met, which test proves nothing",\n',
    to: "",
  },
  "L-08": {
    file: `${AT}/rules.ts`,
    from: "HAVING COUNT(DISTINCT a.check_name) = $" + "{CATEGORIES.length}) AS covered",
    to: "HAVING COUNT(DISTINCT a.check_name) > 0) AS covered",
  },
  "L-09": {
    file: `${AT}/rules.ts`,
    from: `HAVING COUNT(DISTINCT CASE WHEN a.verdict = 'approve' THEN a.check_name END) = ${"$"}{CATEGORIES.length}
  AND COUNT(CASE WHEN a.verdict IS NULL OR a.verdict <> 'approve' THEN 1 END) = 0`,
    to: "HAVING COUNT(CASE WHEN a.verdict <> 'approve' THEN 1 END) = 0",
  },
  "L-10": {
    file: `${AT}/rules.ts`,
    from: "[EG_3, EG_5, EG_4, EG_6, SECURITY_DISSENT, NO_BLOCKER]",
    to: "[EG_3, EG_5, EG_4, EG_6, NO_BLOCKER]",
  },
  "L-11": {
    file: `${AT}/rules.ts`,
    from: "return { passed: !blocked, blocked, findings };",
    to: "return { passed: true, blocked: false, findings };",
  },
  "L-12": { file: `${AT}/planning/plan.ts`, from: "RISKS[Math.max(0, ", to: "RISKS[Math.min(2, " },
  "L-13": {
    file: `${AT}/planning/planning.ts`,
    from: '(["approve", "revise", "abort"] as const)',
    to: '(["approve", "abort"] as const)',
  },
  "L-14": { file: `${AT}/building/wave.ts`, from: "const SUB_WAVE = 4;", to: "const SUB_WAVE = 5;" },
  "L-15": {
    file: "src/core/checks/outcome/outcome.ts",
    from: 'return isRandomFailure(after) ? "flaky" : "regression";',
    to: 'return "failed";',
  },
  "L-16": {
    file: `${AT}/rules.ts`,
    from: "export const VERIFY = [EG_1, EG_2, VERIFIED, WORK_LEFT]",
    to: "export const VERIFY = [EG_1, VERIFIED, WORK_LEFT]",
  },
  "L-17": {
    file: `${AT}/building/task-rounds.ts`,
    from: "const ITERATIONS = 3;",
    to: "const ITERATIONS = 2;",
  },
  "L-19": { file: `${AT}/building/code-review.ts`, from: "const ROUNDS = 2;", to: "const ROUNDS = 3;" },
  "L-20": {
    file: `${AT}/building/closing.ts`,
    from: "  if (learned.ok) await write(",
    to: '  if (!learned.ok) await context.fail("knowledge failed");\n  if (learned.ok) await write(',
  },
  "L-21": { file: `${AT}/artifacts.ts`, from: 'formatSection("Known issues", known),', to: "" },
  "L-22": { file: `${AT}/index.ts`, from: 'if (confidence === "low") {', to: 'if (confidence !== "high") {' },
  "L-23": {
    file: "src/engine/verbs/telemetry.ts",
    from: "completed_at: new Date(run.world.now()).toISOString(),",
    to: "completed_at: new Date(about.startedAt).toISOString(),",
  },
  "L-24": { file: `${AT}/index.ts`, from: "retry: once(),", to: "" },
  "L-25": { file: "src/core/authoring/retry.ts", from: 'last.class === "deterministic" || ', to: "" },
  "L-26": { file: `${AT}/index.ts`, from: "cap: 4,", to: "cap: 5," },
  "L-27": {
    file: "src/hosts/ledger/ledger-writer.ts",
    from: "insert(table).run(...values.map(toSqliteValue));",
    to:
      // Text of a break, not of this file: the statement that must never exist.
      "db.exec(`INSERT INTO ${" +
      "table} (${" +
      'LEDGER_TABLES[table].join(", ")}) VALUES (${' +
      'values.map((each) => (typeof each === "string" ? `\'${' +
      'each}\'` : (each ?? "NULL"))).join(", ")})`);',
  },
  "L-30": { file: `${AT}/roles.ts`, from: "applied: 0,", to: "applied: 1," },
  "L-31": { file: `${AT}/building/self-check.ts`, from: "passed: missed.length === 0,", to: "passed: true," },
  "L-32": { file: "src/pipelines/slug.ts", from: '.join("-")', to: '.join("_")' },
  "L-33": { file: `${AT}/artifacts.ts`, from: "`docs/feature/$", to: "`docs/features/$" },
  "L-34": {
    file: `${AT}/planning/design.ts`,
    from: "? { design: before.design, findings: before.defects }",
    to: "? { findings: before.defects }",
  },
  "L-35": { file: "src/hosts/sqlite/open.ts", from: "    refuseDamage(db, file);\n", to: "" },
  "L-36": {
    file: `${AT}/planning/setup.ts`,
    from: 'branch === "main" || branch === "master"',
    to: "branch !== null",
  },
  "L-37": { file: `${AT}/roles.ts`, from: "check_name: `review-$" + "{scope}-", to: "check_name: `review-" },
  "L-38": {
    file: `${AT}/building/wave.ts`,
    from: "if (there.length === results.length) return there;",
    to: "if (there.length >= 0) return there;",
  },
  "L-39": { file: `${AT}/index.ts`, from: "retry: once(),", to: "" },
  "L-40": {
    file: `${AT}/planning/design-review.ts`,
    from: "if (decision.blocked) {",
    to: "if (decision.blocked && heard.length === PERSPECTIVES.length) {",
  },
  "L-41": {
    file: `${AT}/rules.ts`,
    from: 'passed: said.status === "DONE" && said.findings.every(isMinor) && collectRegressions(evidence).length === 0,',
    to: "passed: collectRegressions(evidence).length === 0,",
  },
  "L-42": {
    file: `${AT}/building/task-rounds.ts`,
    from: "tasks.filter((task) => !work.accepted.has(task.id))",
    to: "tasks",
  },
  "L-43": {
    file: `${AT}/rules.ts`,
    from: "passed: whole.passed && findings.length === 0 && collectRegressions(whole).length === 0,",
    to: "passed: findings.length === 0,",
  },
  "L-44": { file: `${AT}/planning/planning.ts`, from: "const REVISIONS = 2;", to: "const REVISIONS = 3;" },
  "L-45": {
    file: `${AT}/context.ts`,
    from: "if (!outcome.ok) tally.errors.push(",
    to: "if (false) tally.errors.push(",
  },
  "L-46": {
    file: `${AT}/index.ts`,
    from: "createRollbackCommand({ run, base, ...(code === undefined ? { commit: id } : {}) })",
    to: "createRollbackCommand({ run, base })",
  },
  "L-47": {
    file: "src/core/failure/exit-codes.ts",
    from: "CONFIDENCES.indexOf(end.confidence) < CONFIDENCES.indexOf(need) ? 7 : 0",
    to: "CONFIDENCES.indexOf(end.confidence) < CONFIDENCES.indexOf(need) ? 0 : 0",
  },
  "L-49": {
    file: "src/engine/verbs/telemetry.ts",
    from: 'TIMED_OUT.has(code) ? "TIMEOUT" : "ERROR"',
    to: '"ERROR"',
  },
  "L-50": {
    file: `${AT}/index.ts`,
    from:
      "await write(`$" +
      "{folder}/evidence-bundle.md`, formatEvidenceBundle({ slug, run, base, confidence, ...seen }));",
    to: "",
  },
  "L-51": {
    file: `${AT}/building/code-review.ts`,
    from: "if (!fixed.decision.passed) return { decision: fixed.decision };",
    to: "",
  },
  "L-52": {
    file: "src/core/checks/outcome/outcome.ts",
    from: 'return then[0] === "red" ? compareRedRuns(before, after) : "failed";',
    to: 'return "failed";',
  },
  "L-53": {
    file: `${AT}/rules.ts`,
    from: "THEN a.check_name END) < :green",
    to: "THEN a.check_name END) < 0 * :green",
  },
  "L-54": {
    file: `${AT}/building/task-rounds.ts`,
    from: "if (round === ITERATIONS) work",
    to: "if (round > ITERATIONS) work",
  },
};
