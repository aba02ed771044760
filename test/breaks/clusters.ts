import type { Mutants } from "./break.ts";

const AT = "src/pipelines/clusters";

export const mutants: Mutants = {
  "C-01": {
    file: `${AT}/index.ts`,
    from: '{ title: "2 Specification", roles: [spec] }',
    to: '{ title: "2 Specification", roles: [spec, designer] }',
  },
  "C-02": { file: `${AT}/planning/setup.ts`, from: "  await context.remember(EMPTY);\n", to: "" },
  "C-03": {
    file: `${AT}/contracts.ts`,
    from: 'z.string().min(1, { error: "expected a few words after the colon" })',
    to: "z.string()",
  },
  "C-04": {
    file: `${AT}/contracts.ts`,
    from: 'class: DETERMINISTIC.test(message) ? "deterministic" : "transient"',
    to: 'class: "transient"',
  },
  "C-05": { file: `${AT}/building/implementation.ts`, from: "const SUB_WAVE = 4;", to: "const SUB_WAVE = 40;" },
  "C-06": {
    file: `${AT}/artifacts.ts`,
    from: '["architecture", "impact", "dependencies", "patterns"]',
    to: '["architecture", "impact", "dependencies"]',
  },
  "C-07": { file: `${AT}/patterns.ts`, from: "const ENOUGH = 2;", to: "const ENOUGH = 1;" },
  "C-08": {
    file: `${AT}/patterns.ts`,
    from: 'const opens = order.holds && gate.status === "DONE";',
    to: "const opens = order.holds;",
  },
  "C-09": { file: `${AT}/patterns.ts`, from: "const REPLANS = 3;", to: "const REPLANS = 4;" },
  "C-10": { file: `${AT}/planning/design.ts`, from: "const REVISIONS = 1;", to: "const REVISIONS = 2;" },
  "C-11": { file: `${AT}/rules.ts`, from: "passed: problems.length === 0,", to: "passed: true," },
  "C-12": {
    file: `${AT}/building/implementation.ts`,
    from: "if (lost.some(isBlockingTask)) return { waiting: waves.slice(at + 1), failed };",
    to: "",
  },
  "C-13": {
    file: `${AT}/rules.ts`,
    from: 'if (objecting) return { status: "NEEDS_REVISION", why:',
    to: 'if (objecting) return { status: "DONE", why:',
  },
  "C-14": {
    file: `${AT}/building/verification.ts`,
    from: "const failing = last?.failing ?? [];",
    to: "const failing: string[] = [];",
  },
  "C-15": {
    file: `${AT}/planning/tier.ts`,
    from: 'if (changed.some((path) => matchesAny(path.toLowerCase(), FULL))) return "Full";',
    to: "",
  },
  "C-16": {
    file: `${AT}/rules.ts`,
    from: "const critical = security.findings.find(isCritical);",
    to: "const critical = security.findings.find((finding) => !isSerious(finding) && isCritical(finding));",
  },
  "C-17": {
    file: `${AT}/rules.ts`,
    from: 'if (review.status === "NEEDS_REVISION" && !review.fixed) return "fix";',
    to: 'if (review.status === "NEEDS_REVISION") return "fix";',
  },
  "C-18": { file: `${AT}/planning/approval.ts`, from: 'choices: ["proceed", "refuse"]', to: 'choices: ["proceed"]' },
  "C-19": {
    file: `${AT}/context.ts`,
    from:
      "if (parseMemoryEntries(sent.text).length > 0)\n        await report.warn(`$" +
      "{sent.name} is no writer of the memory: entry refused`);",
    to: 'await file.remember(addOutput(file.memory, { by: sent.name, step: "0", path: at(sent.name), text: sent.text }));',
  },
  "C-20": { file: `${AT}/memory/memory.ts`, from: "const RECENT = 2;", to: "const RECENT = 20;" },
  "C-21": {
    file: `${AT}/memory/memory.ts`,
    from: "const isValid = (entry: MemoryEntry) => entry.invalid === undefined;",
    to: "const isValid = (_entry: MemoryEntry) => true;",
  },
  "C-22": {
    file: `${AT}/memory/memory.ts`,
    from: "isLesson(entry.text) && !lessons.some(({ text }) => text === entry.text)",
    to: "isLesson(entry.text)",
  },
  "C-23": { file: `${AT}/memory/memory-file.ts`, from: ", { lenient: true }", to: "" },
  "C-24": {
    file: `${AT}/artifacts.ts`,
    from: "return after.startsWith(before.trimEnd()) ? after : undefined;",
    to: "return before === after ? before : after;",
  },
  "C-25": {
    file: `${AT}/rules.ts`,
    from: 'passed: reviewed && red === "nothing"',
    to: 'passed: red === "nothing"',
  },
  "C-26": { file: `${AT}/building/implementation.ts`, from: '  "docs/feature/**",\n', to: "" },
  "C-27": {
    file: `${AT}/context.ts`,
    from: "[DOCUMENTS.request, DOCUMENTS.memory, ...reads].map(place.at)",
    to: "[DOCUMENTS.request, ...reads].map(place.at)",
  },
  "C-28": {
    file: `${AT}/context.ts`,
    from: "if (parseMemoryEntries(text).length === 0) await report.warn(",
    to: "if (parseMemoryEntries(text).length < 0) await report.warn(",
  },
  "C-29": { file: `${AT}/artifacts.ts`, from: '"design_critical_review.md"', to: '"ct-review/all.md"' },
  "C-30": {
    file: `${AT}/building/verification.ts`,
    from: "DOCUMENTS.feature, ...own],",
    to: "DOCUMENTS.feature, DOCUMENTS.design, ...own],",
  },
  "C-31": {
    file: `${AT}/context.ts`,
    from: "return sent.after ? sent : report.halt(",
    to: 'return sent.after || order.step === "2" ? sent : report.halt(',
  },
  "C-32": {
    file: `${AT}/roles.ts`,
    from: 'const defineWorker = defineWith("DONE");',
    to: 'const defineWorker = defineWith("DONE", "NEEDS_REVISION");',
  },
  "C-33": {
    file: `${AT}/roles.ts`,
    from: 'const defineJudge = defineWith("DONE", "NEEDS_REVISION");',
    to: 'const defineJudge = defineWith("DONE");',
  },
  "C-34": {
    file: `${AT}/planning/research.ts`,
    from: "if (error) return context.halt(`research failed: $" + "{error}`);",
    to: "if (error) await context.warn(error);",
  },
  "C-35": { file: `${AT}/memory/memory.ts`, from: "{ path, sections, by }],\n", to: '{ path, sections: "", by }],\n' },
  "C-36": {
    file: `${AT}/building/implementation.ts`,
    from: 'const isBlockingTask = ({ task }: TaskOutcome): boolean => task.agent !== "documentation-writer";',
    to: 'const isBlockingTask = ({ task }: TaskOutcome): boolean => task.agent !== "";',
  },
  "C-37": {
    file: `${AT}/rules.ts`,
    from: 'if (red.some(({ name }) => BUILDS.includes(name))) return "build";',
    to: "",
  },
  "C-38": { file: `${AT}/rules.ts`, from: 'passed: classifyFailures(evidence) === "nothing",', to: "passed: true," },
  "C-39": { file: `${AT}/rules.ts`, from: 'return review.replanned ? "halt" : "replan";', to: 'return "replan";' },
  "C-40": {
    file: `${AT}/run-report.ts`,
    from: "const result = `ERROR: $" + "{unresolved}`;",
    to: "const result = unresolved;",
  },
  "C-41": {
    file: `${AT}/memory/memory.ts`,
    from: "return `- $" + "{mark}[$" + "{by}, step-$" + "{step}] $" + "{text}`;",
    to: "return `- $" + "{mark}$" + "{text} ($" + "{by}, $" + "{step})`;",
  },
  "C-42": {
    file: `${AT}/building/review.ts`,
    from: '  await context.doubt(["6"], "verification starts again");\n',
    to: "",
  },
  "C-43": {
    file: `${AT}/rules.ts`,
    from: "if (order.indexOf(said) <= order.indexOf(table.status)) return table;",
    to: 'if (said === "DONE") return { status: "DONE", why: "" };',
  },
  "C-44": { file: `${AT}/building/review.ts`, from: "const facts = [`Tier: $" + "{tier}`, ", to: "const facts = [" },
  "C-45": { file: `${AT}/context.ts`, from: "writes: outputs, delivers,", to: "writes: outputs," },
  "C-46": {
    file: `${AT}/building/verification.ts`,
    from: "waves: [...planned.waves, ...late],",
    to: "waves: late.length < 0 ? late : planned.waves,",
  },
  "C-47": { file: `${AT}/planning/approval.ts`, from: "const RETURNS = 1;", to: "const RETURNS = 2;" },
  "C-48": {
    file: `${AT}/planning/setup.ts`,
    from: "const fresh = dirt.filter((path) => path.startsWith(`$" + "{folder}/`));",
    to: "const fresh = dirt.slice(0, 0);",
  },
};
