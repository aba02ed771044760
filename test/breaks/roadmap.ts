import type { Mutants } from "./break.ts";

export const mutants: Mutants = {
  "R-02": {
    file: "src/pipelines/roadmap/choosing/selection.ts",
    from: ".sort((a, b) => a.priority - b.priority || compareIds(a.id, b.id));",
    to: ".sort((a, b) => b.priority - a.priority);",
  },
  "R-03": {
    file: "src/pipelines/roadmap/choosing/dependencies.ts",
    from: "...findCycles(links).map(",
    to: "...findCycles([]).map(",
  },
  "R-05": {
    file: "src/pipelines/roadmap/item/route.ts",
    from: 'simple: ["Implement", "Testing", "Review"],',
    to: 'simple: ["Implement"],',
  },
  "R-06": {
    file: "src/pipelines/roadmap/item/route.ts",
    from: 'medium: ["Research", "Architect (design)",',
    to: 'medium: ["Research",',
  },
  "R-07": {
    file: "src/pipelines/roadmap/item/route.ts",
    from: '"Implement", "Architect (validation)", "Testing"',
    to: '"Implement", "Testing"',
  },
  "R-08": {
    file: "src/pipelines/roadmap/item/item-context.ts",
    from: "return { id, title, complexity, acceptanceCriteria, verification, dependencies };",
    to: "return item;",
  },
  "R-09": {
    file: "src/pipelines/roadmap/recording/memory.ts",
    from: "roadmap.bare ? memory.learnings : roadmap.learnings",
    to: "[]",
  },
  "R-10": {
    file: "src/pipelines/roadmap/item/route.ts",
    from: '[] = ["Architect (design)"];',
    to: '[] = ["Architect (design)", "Implement"];',
  },
  "R-11": {
    file: "src/pipelines/roadmap/item/route.ts",
    from: '[] = ["Implement",',
    to: '[] = ["Research", "Implement",',
  },
  "R-12": {
    file: "src/pipelines/roadmap/item/research.ts",
    from: 'return { run: item.complexity === "complex" };',
    to: "return { run: true };",
  },
  "R-13": {
    file: "src/pipelines/roadmap/item/research.ts",
    from: "if (changed.length > 0) return changed;",
    to: "if (changed.length > 0) return [];",
  },
  "R-15": {
    file: "src/pipelines/roadmap/recording/block.ts",
    from: 'category === "contract_missing" ? "missing output contract" : failure.message',
    to: "failure.message",
  },
  "R-16": {
    file: "src/core/contract/read.ts",
    from: "if (seen === expected) return undefined;",
    to: "if (seen !== undefined) return undefined;",
  },
  "R-17": {
    file: "src/pipelines/roadmap/recording/signatures.ts",
    from: "return removeSignatures(contract as Json) as T;",
    to: "return contract;",
  },
  "R-18": {
    file: "src/pipelines/roadmap/rules.ts",
    from: "return reason === undefined\n      ? { passed: true }\n      : { passed: false, findings: [createMajorFinding(reason), ...listAgentFindings(returned)] };",
    to: "return { passed: true, actual: reason ?? null };",
  },
  "R-19": {
    file: "src/pipelines/roadmap/item/item-context.ts",
    from: "research: ({ status, evidence, learnings }: Contract) => ({ status, evidence, learnings }),",
    to: "research: (contract: Contract) => contract,",
  },
  "R-21": {
    file: "src/pipelines/roadmap/index.ts",
    from: "retry: orRest(never()),",
    to: "retry: (failures) => (failures.length < 2 ? { again: true, waitMs: 0 } : orRest(never())(failures)),",
  },
  "R-22": {
    file: "src/pipelines/roadmap/choosing/roadmap.ts",
    from: "if (added.length > 0 && !roadmap.bare)",
    to: "if (added.length > 9)",
  },
  "R-23": {
    file: "src/pipelines/roadmap/choosing/selection.ts",
    from: "if (open.length === 0)",
    to: "if (open.length >= 0)",
  },
  "R-24": {
    file: "src/pipelines/roadmap/artifacts.ts",
    from: "- Agent signatures: ${",
    to: "- Agents: ${",
  },
  "R-25": {
    file: "src/pipelines/roadmap/choosing/ask-to-continue.ts",
    from: "if (!more) return {};",
    to: "if (more || !more) return {};",
  },
  "R-26": {
    file: "src/pipelines/roadmap/contracts.ts",
    from: '    files: z.array(ChangedFile).optional().meta({ due: "only with status: success" }),\n',
    to: "",
  },
  "R-27": {
    file: "src/pipelines/roadmap/choosing/roadmap.ts",
    from: 'setMember(roadmap.text, toFieldPath("status"), status)',
    to: 'setMember(JSON.stringify(JSON.parse(roadmap.text)), toFieldPath("status"), status)',
  },
  "R-28": {
    file: "src/pipelines/roadmap/choosing/roadmap.ts",
    from: "acceptanceCriteria: Lines.min(1),",
    to: "acceptanceCriteria: Lines,",
  },
  "R-29": {
    file: "src/pipelines/roadmap/choosing/roadmap.ts",
    from: "value === undefined ? removeMember(text, toFieldPath(field)) :",
    to: "value === undefined ? text :",
  },
  "R-30": {
    file: "src/core/contract/template.ts",
    from: "Return Agent Signature using your own SIGNED_VALUE from your agent markdown. It is at the top of this prompt; return the bare word after it.",
    to: "Sign.",
  },
  "R-31": {
    file: "src/pipelines/roadmap/contracts.ts",
    from: 'verdict: z.enum(["ship", "minor_fixes", "needs_work"]).describe("ship when nothing has to change"),',
    to: 'verdict: z.enum(["ship", "minor_fixes", "needs_work"]).default("ship"),',
  },
  "R-32": {
    file: "src/pipelines/roadmap/item/item-context.ts",
    from: "validation: ({ status, mode, evidence }: Contract) => ({ status, mode, evidence }),",
    to: "validation: (contract: Contract) => contract,",
  },
  "R-33": {
    file: "src/pipelines/roadmap/recording/short-text.ts",
    from: "const FAILURE_LINES = 3;",
    to: "const FAILURE_LINES = 30;",
  },
  "R-34": {
    file: "src/pipelines/roadmap/recording/block.ts",
    from: 'if (step === "Review" && verdict !== "ship") return "review_verdict";',
    to: 'if (step === "Review" && verdict !== "ship") return "agent_blocked";',
  },
  "R-35": {
    file: "src/pipelines/roadmap/recording/short-text.ts",
    from: 'text.replace(/\\s+/g, " ").trim()',
    to: "text",
  },
  "R-36": {
    file: "src/pipelines/roadmap/recording/block.ts",
    from: "    ...(contract.failures ?? []).map(takeFirstLines),\n",
    to: "",
  },
  "R-37": {
    file: "src/pipelines/roadmap/item/research.ts",
    from: "research !== null && Object.values(research).some((list) => list.length > 0)",
    to: "research !== null",
  },
  "R-38": {
    file: "src/pipelines/roadmap/rules.ts",
    from: "if (red.length === 0) return { passed: true };",
    to: "if (red.length >= 0) return { passed: true };",
  },
  "R-39": {
    file: "src/pipelines/roadmap/rules.ts",
    from: "findings: work ? listDiscrepancies(work, step) : []",
    to: "findings: work ? [] : []",
  },
  "R-40": {
    file: "src/pipelines/roadmap/item/adr.ts",
    from: "if (known.files.includes(adrPath)) return { adrPath };",
    to: "if (adrPath) return { adrPath };",
  },
  "R-41": {
    file: "src/pipelines/roadmap/item/titles.ts",
    from: "title.trim() === DESIGN;",
    to: "title.trim().startsWith(DESIGN);",
  },
  "R-44": {
    file: "src/pipelines/roadmap/choosing/selection.ts",
    from: 'status === "ready" || (status === "in_progress" && !held.has(String(id)))',
    to: 'status === "ready"',
  },
};
