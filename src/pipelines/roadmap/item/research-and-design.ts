import type { Tree } from "../../../core/authoring/tree.ts";
import type { ItemContext, Preparation, ResearchFindings } from "../context.ts";
import { getItemScope, listLearnings } from "../recording/memory.ts";
import { architect, research } from "../roles.ts";
import type { ItemResult } from "../steps.ts";
import { getAdrPath, selectAdr } from "./adr.ts";
import { toUnlistedWork } from "./build-and-test.ts";
import { forward } from "./item-context.ts";
import { getResearchNeed, isPopulated } from "./research.ts";
import { isScaffold } from "./titles.ts";

type ResearchResult = {
  readonly tree: Tree;
  readonly findings: ResearchFindings;
  readonly openDecisions: readonly string[];
};

/** Runs Research if the item needs it; otherwise uses the planning research. */
export async function runResearchStep(context: ItemContext): Promise<ResearchResult | undefined> {
  const { steps, item, memory, route, earlier } = context;
  const base = earlier?.tree ?? context.base;
  const planned = isPopulated(item.planningResearch) ? item.planningResearch : undefined;
  const need = getResearchNeed(item, getItemScope(memory, item.id));
  if (!route.includes("Research") || !need.run) {
    return { tree: base, findings: planned ? { research: planned } : {}, openDecisions: [] };
  }
  const prior = { ...(planned ? { planningResearch: planned } : {}), ...(need.gaps ? { gaps: need.gaps } : {}) };
  const answer = await steps.dispatch({ step: "Research", role: research, tree: base, prior });
  if (!answer || !(await steps.judge({ step: "Research", contract: answer.contract }, base))) return undefined;
  const findings = forward.research(answer.contract);
  steps.recordOutput("Research", findings);
  // Research covered only the gaps, so the rest of the planning research still applies.
  if (need.gaps && planned) {
    return { tree: base, findings: { research: findings, planningResearch: planned }, openDecisions: [] };
  }
  return { tree: base, findings: { research: findings }, openDecisions: planned?.openDecisions ?? [] };
}

/** Designs this item, or selects the earlier ADR for a scaffold item. */
export async function runDesignStep(
  context: ItemContext,
  found: ResearchResult,
): Promise<Preparation | { readonly refused: ItemResult }> {
  const { verbs, steps, item, roadmap, memory, kept, route, adrs } = context;
  if (isScaffold(item)) {
    const files = await verbs.see("files", { under: adrs, in: found.tree });
    const adr = selectAdr(item, {
      items: roadmap.items,
      learnings: listLearnings(roadmap, memory),
      adrs: memory.adrs,
      folder: adrs,
      files,
    });
    return "refused" in adr ? { refused: steps.refuse("Implement", adr.refused) } : { ...found, design: adr };
  }
  if (!route.includes("Architect (design)")) return found;
  const step = "Architect (design)";
  const { findings, openDecisions } = found;
  const open = openDecisions.length > 0 ? { openDecisions } : {};
  const prior = { mode: "design", ...findings, ...open };
  const writes = [`${adrs}/**`, ...kept];
  const answer = await steps.dispatch({ step, role: architect, tree: found.tree, prior, writes });
  if (!answer) return { refused: steps.blocked() };
  const { contract } = answer;
  const { after } = answer.left;
  const adrPath = getAdrPath(contract, adrs);
  const adr = adrPath === undefined ? null : await verbs.see("file", { path: adrPath, in: after });
  const adrExists = adr !== null && adr.text.trim() !== "";
  const passed = await steps.judge(
    { step, contract, adrExists, ...(await checkDesignItem(context, answer.left)) },
    after,
  );
  if (!passed) return { refused: steps.blocked() };
  const drawn = forward.design(contract, adrs);
  steps.recordOutput(step, drawn);
  return { ...found, tree: after, design: drawn };
}

type AgentChanges = { readonly after: Tree; readonly changed: readonly string[]; readonly outside: readonly string[] };

/** An item that consists of a design must change something, and all commands run on its tree. */
async function checkDesignItem({ verbs, steps, item, base, route }: ItemContext, left: AgentChanges) {
  const due = !route.includes("Implement");
  const work = { ...toUnlistedWork(left), due };
  if (!due) return { work };
  const evidence = await verbs.check(left.after, { baseline: base, task: String(item.id) });
  steps.recordEvidence(evidence);
  return { work, evidence };
}
