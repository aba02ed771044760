import type { Mutants } from "./break.ts";

const AT = "src/pipelines/ticket";

export const mutants: Mutants = {
  "T-01": { file: `${AT}/preparing/request.ts`, from: "/\\b[A-Z]+-\\d+\\b/g", to: "/\\b[A-Za-z]+-?\\d*\\b/g" },
  "T-02": { file: `${AT}/preparing/resume.ts`, from: "accepted: listAccepted(tasks) }", to: "accepted: [] }" },
  "T-03": { file: `${AT}/artifacts.ts`, from: "files.filter((path) => LEGACY.test(path))", to: "[]" },
  "T-05": {
    file: `${AT}/preparing/prompt-processing.ts`,
    from: "if (clear) return { prompt: { ...clear, created_at }, told: [] };",
    to: "",
  },
  "T-06": {
    file: `${AT}/rules.ts`,
    from: "mandates.filter(({ text }) => !request.includes(text))",
    to: "mandates.slice(0, 0)",
  },
  "T-08": {
    file: `${AT}/preparing/planning.ts`,
    from: "docs.trusted || !docs.wanted || iteration > 0",
    to: "docs.trusted || !docs.wanted || iteration >= 0",
  },
  "T-09": { file: `${AT}/preparing/planning.ts`, from: "      impact_scan: impact,\n", to: "" },
  "T-10": {
    file: `${AT}/rules.ts`,
    from: "toJudgement(listDeferrals(plan).map(",
    to: "toJudgement(listDeferrals(plan).slice(0, 0).map(",
  },
  "T-11": {
    file: `${AT}/contracts.ts`,
    from: "parallel_groups: z.record(z.string(), z.array(z.string())),",
    to: "parallel_groups: z.preprocess((given) => (Array.isArray(given) ? {} : given), z.record(z.string(), z.array(z.string()))),",
  },
  "T-12": { file: `${AT}/preparing/tasks-file.ts`, from: "    ...findSharedFiles(read.value),\n", to: "" },
  "T-13": {
    file: `${AT}/preparing/git-gate.ts`,
    from: "if (code.length === 0) return theirs;",
    to: "return code.length === 0 ? [] : theirs;",
  },
  "T-14": { file: `${AT}/preparing/git-gate.ts`, from: "dirt.filter((path) => !isBook(path))", to: "dirt" },
  "T-15": {
    file: `${AT}/preparing/tasks-file.ts`,
    from: "const MAX_TRIVIAL_FILES = 2;",
    to: "const MAX_TRIVIAL_FILES = 9;",
  },
  "T-16": {
    file: `${AT}/working/parallel-group.ts`,
    from: "splitIntoBatches(state.open, max_parallel_tasks)",
    to: "splitIntoBatches(state.open, 99)",
  },
  "T-17": {
    file: `${AT}/rules.ts`,
    from: "const stray = works.filter((work) => listStrayFiles(work).length > 0);",
    to: "const stray = works.slice(0, 0);",
  },
  "T-18": {
    file: `${AT}/rules.ts`,
    from: "const red = evidence?.checks.filter(isRed) ?? [];",
    to: "const red = evidence?.checks.slice(0, 0) ?? [];",
  },
  "T-19": { file: `${AT}/working/attempts.ts`, from: "export const ATTEMPTS = 5;", to: "export const ATTEMPTS = 6;" },
  "T-20": {
    file: `${AT}/files/progress.ts`,
    from: "const CAP_BEFORE_ACCEPTANCE = 95;",
    to: "const CAP_BEFORE_ACCEPTANCE = 100;",
  },
  "T-22": {
    file: `${AT}/rules.ts`,
    from: 'const passed = report.status === "ACCEPTED" && unmet.length === 0 && !report.findings.some(isBlocking);',
    to: "const passed = true;",
  },
  "T-23": { file: `${AT}/artifacts.ts`, from: "const SUBJECT_LENGTH = 71;", to: "const SUBJECT_LENGTH = 710;" },
  "T-24": {
    file: `${AT}/working/closing.ts`,
    from: "if (docs.trusted && layout.length === 0) {",
    to: "if (docs.trusted || layout.length === 0) {",
  },
  "T-25": {
    file: `${AT}/preparing/planning.ts`,
    from: 'await ticketFiles.at("O3", {}, "planner.pre_git_gate.start");',
    to: 'await ticketFiles.at("O3");',
  },
  "T-26": { file: `${AT}/context.ts`, from: '.filter(({ code }) => code === "write_outside")', to: ".slice(0, 0)" },
  "T-27": { file: `${AT}/working/closing.ts`, from: "    ...formatOutcomes(context, reviewed.evidence),\n", to: "" },
  "T-28": {
    file: `${AT}/preparing/resume.ts`,
    from: "return { ...fresh, ...said, ...from,",
    to: "return { ...said, ...fresh, ...from,",
  },
  "T-29": {
    file: `${AT}/preparing/resume.ts`,
    from: 'if (progress.status === "ACCEPTED") return',
    to: 'if (progress.status === "ACCEPTED" && jira === "") return',
  },
  "T-30": { file: `${AT}/preparing/startup.ts`, from: "const CORES_UNKNOWN = 2;", to: "const CORES_UNKNOWN = 0;" },
  "T-31": {
    file: `${AT}/preparing/commands.ts`,
    from: "each.name === name && each.run === line)?.from ?? CONFIGURED",
    to: "each.name === name && each.run === line && false)?.from ?? CONFIGURED",
  },
  "T-32": {
    file: `${AT}/preparing/docs.ts`,
    from: 'return same && matchesFingerprint(read.workspace_fingerprint, read.hashes) ? "trusted" : "stale";',
    to: 'return same || matchesFingerprint(read.workspace_fingerprint, read.hashes) ? "trusted" : "stale";',
  },
  "T-33": {
    file: `${AT}/working/docs-refresh.ts`,
    from: '"INCREMENTAL" || docs.refresh.length === 0 ? DOCS : docs.refresh',
    to: '"INCREMENTAL" || docs.refresh.length === 0 ? DOCS : DOCS',
  },
  "T-34": { file: `${AT}/preparing/request.ts`, from: "!slug || VAGUE.test(request) ||", to: "!slug ||" },
  "T-35": {
    file: `${AT}/preparing/request.ts`,
    from: "const PLANNING = /\\b(analyze|inspect|",
    to: "const PLANNING = /\\b(analyze|",
  },
  "T-36": {
    file: `${AT}/contracts.ts`,
    from: "slug: createFormat(/^[a-z0-9]+(_[a-z0-9]+){2}$/,",
    to: "slug: createFormat(/./,",
  },
  "T-38": { file: `${AT}/files/progress.ts`, from: '"O4.5": "GIT_GATE"', to: '"O4.5": "TASK_EXECUTION"' },
  "T-39": {
    file: `${AT}/rules.ts`,
    from: "outputs.filter((path) => !changed.includes(path))",
    to: "outputs.slice(changed.length * 0 + outputs.length)",
  },
  "T-40": {
    file: `${AT}/preparing/planning.ts`,
    from: "return { primary_input: report, request: asked, previous_plan: plan };",
    to: "return { primary_input: asked, request: report, previous_plan: plan };",
  },
  "T-41": { file: `${AT}/preparing/tasks-file.ts`, from: "    ...checkDependencies(read.value),\n", to: "" },
  "T-42": {
    file: `${AT}/preparing/planning.ts`,
    from: "if (!second.ok) return fail(",
    to: 'if (!second.ok) return fail("" && ',
  },
  "T-43": { file: `${AT}/working/develop.ts`, from: "    mode,\n    build_command", to: "    build_command" },
  "T-44": {
    file: `${AT}/working/develop.ts`,
    from: 'const bad = order.mode === "PARALLEL" ? await findUnreadable(iteration, order, after) : [];',
    to: "const bad: string[] = [];",
  },
  "T-45": {
    file: `${AT}/rules.ts`,
    from: 'const bad = works.filter(({ status }) => status !== "DONE");',
    to: "const bad = works.slice(0, 0);",
  },
  "T-46": {
    file: `${AT}/working/group-checks.ts`,
    from: "const own = { ...policy, ...policy.groups[group] };",
    to: "const own: Partial<typeof policy> = group ? {} : policy;",
  },
  "T-47": {
    file: `${AT}/files/documents.ts`,
    from: 'if (isBook(path) || scope === "all") return true;',
    to: "if (scope) return true;",
  },
  "T-48": { file: `${AT}/working/attempts.ts`, from: "    board.renew(ids);\n", to: "" },
  "T-49": {
    file: `${AT}/contracts.ts`,
    from: 'status: z.enum(["ACCEPTED", "REJECTED"]).describe("one of the two"),\n  summary',
    to: 'status: z.string().transform(() => "ACCEPTED" as const),\n  summary',
  },
  "T-50": { file: `${AT}/index.ts`, from: "const ITERATIONS = 5;", to: "const ITERATIONS = 6;" },
  "T-51": { file: `${AT}/working/review.ts`, from: "files_verified: true, notes }", to: "notes }" },
  "T-52": {
    file: `${AT}/preparing/git-gate.ts`,
    from: "return subjects.every((subject) =>",
    to: "return subjects.some((subject) =>",
  },
  "T-53": {
    file: `${AT}/roles.ts`,
    from: 'review_report.yaml`], outside: "fail" as const',
    to: 'review_report.yaml`, "src/**"], outside: "fail" as const',
  },
  "T-54": { file: `${AT}/working/closing.ts`, from: '  await write(".gitignore", ignore.text);\n', to: "" },
};
