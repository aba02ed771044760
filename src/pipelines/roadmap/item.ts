import type { Finding } from "../../core/finding.ts";
import type { Json } from "../../core/json.ts";
import type { Tree } from "../../core/tree.ts";
import type { Verbs } from "../../core/verbs.ts";
import { ADR_FOLDER, adrFor, adrPathOf } from "./adr.ts";
import type { Contract } from "./contracts.ts";
import { filesOf, forward } from "./forward.ts";
import type { Memory } from "./memory.ts";
import { learningsOf, scopeOf } from "./memory.ts";
import { isPopulated, researchNeed } from "./research.ts";
import type { Item, Roadmap } from "./roadmap.ts";
import { architect, implement, research, review, testing } from "./roles.ts";
import { routeOf, type Step } from "./route.ts";
import { type ItemResult, type Steps, stepsOf } from "./steps.ts";
import { isScaffold } from "./titles.ts";
import { commandsOf, verificationOf } from "./verification.ts";

const TEST_FILES = ["test/**", "tests/**", "**/*.test.*", "**/*.spec.*", "**/*_test.*", "**/__tests__/**"];

export type Start = {
  readonly item: Item;
  readonly roadmap: Roadmap;
  readonly memory: Memory;
  /** The tree of the last done item. */
  readonly base: Tree;
  /** What only the engine writes: no agent's change to it is taken. */
  readonly kept: readonly string[];
};
type Place = Start & {
  readonly verbs: Verbs<unknown>;
  readonly steps: Steps;
  readonly route: readonly Step[];
  readonly known: Readonly<Record<string, string>>;
};
type Design = ReturnType<typeof forward.design> | { readonly adrPath: string };
/** What is known about the item before it is built, as Architect and Implement are told it. */
type Findings = { readonly research?: Json; readonly planningResearch?: Json };
type Found = { readonly tree: Tree; readonly findings: Findings; readonly openDecisions: readonly string[] };
type Prepared = { readonly tree: Tree; readonly findings: Findings; readonly design?: Design };
type Built = { readonly from: Tree; readonly tree: Tree; readonly contract: Contract; readonly files: Files };
type Files = ReturnType<typeof filesOf>;

/** Sends one item down its route; the first step that does not pass blocks it. */
export async function runItem(verbs: Verbs<unknown>, start: Start): Promise<ItemResult> {
  const { item, roadmap, memory } = start;
  const steps = stepsOf(verbs, { item, learnings: learningsOf(roadmap, memory) });
  const { commands: known } = await verbs.see("startup");
  const place = { ...start, verbs, steps, route: routeOf(item), known };

  const found = await investigate(place);
  if (!found) return steps.blocked();
  const prepared = await design(place, found);
  if ("refused" in prepared) return prepared.refused;
  if (!place.route.includes("Implement")) return steps.done(prepared.tree, { adrPath: prepared.design?.adrPath ?? "" });

  const built = await build(place, prepared);
  if (!built) return steps.blocked();
  if (place.route.includes("Architect (validation)") && !(await validate(place, prepared, built)))
    return steps.blocked();
  const tested = await test(place, built);
  if (!tested) return steps.blocked();
  return (await judgeAll(place, { ...built, ...tested })) ? steps.done(tested.tree) : steps.blocked();
}

/** Research where the item needs it; otherwise what planning found takes its place. */
async function investigate(place: Place): Promise<Found | undefined> {
  const { steps, item, memory, base, route } = place;
  const planned = isPopulated(item.planningResearch) ? item.planningResearch : undefined;
  const need = researchNeed(item, scopeOf(memory, item.id));
  if (!route.includes("Research") || !need.run) {
    return { tree: base, findings: planned ? { research: planned } : {}, openDecisions: [] };
  }
  const prior = { ...(planned ? { planningResearch: planned } : {}), ...(need.gaps ? { gaps: need.gaps } : {}) };
  const answer = await steps.dispatch({ step: "Research", role: research, tree: base, prior });
  if (!answer || !(await steps.judge({ step: "Research", contract: answer.contract }, base))) return undefined;
  const findings = forward.research(answer.contract);
  steps.keep("Research", findings);
  // Where only gaps were looked into, the rest of what planning found still holds.
  if (need.gaps && planned) {
    return { tree: base, findings: { research: findings, planningResearch: planned }, openDecisions: [] };
  }
  return { tree: base, findings: { research: findings }, openDecisions: planned?.openDecisions ?? [] };
}

/** The design of this item, or for a scaffold the one that an earlier item left behind. */
async function design(place: Place, found: Found): Promise<Prepared | { readonly refused: ItemResult }> {
  const { verbs, steps, item, roadmap, memory, route, kept } = place;
  if (isScaffold(item)) {
    const files = await verbs.see("files", { under: ADR_FOLDER, in: found.tree });
    const adr = adrFor(item, {
      items: roadmap.items,
      learnings: learningsOf(roadmap, memory),
      adrs: memory.adrs,
      files,
    });
    return "refused" in adr ? { refused: steps.refuse("Implement", adr.refused) } : { ...found, design: adr };
  }
  if (!route.includes("Architect (design)")) return found;
  const step = "Architect (design)";
  const { findings, openDecisions } = found;
  const prior = { mode: "design", ...findings, ...(openDecisions.length > 0 ? { openDecisions } : {}) };
  const writes = [`${ADR_FOLDER}/**`, ...kept];
  const answer = await steps.dispatch({ step, role: architect, tree: found.tree, prior, writes });
  if (!answer) return { refused: steps.blocked() };
  const {
    contract,
    answer: { after },
  } = answer;
  const adrPath = adrPathOf(contract);
  const adr = adrPath === undefined ? null : await verbs.see("file", { path: adrPath, in: after });
  const passed = await steps.judge({ step, contract, adrExists: adr !== null && adr.text.trim() !== "" }, after);
  if (!passed) return { refused: steps.blocked() };
  const drawn = forward.design(contract);
  steps.keep(step, drawn);
  return { ...found, tree: after, design: drawn };
}

async function build(place: Place, { tree, findings, design: drawn }: Prepared): Promise<Built | undefined> {
  const { verbs, steps, kept } = place;
  const prior = { ...findings, ...(drawn ? { design: drawn } : {}) };
  const answer = await steps.dispatch({ step: "Implement", role: implement, tree, prior, writes: ["**", ...kept] });
  if (!answer) return undefined;
  const {
    contract,
    answer: { after, outside },
  } = answer;
  const changed = (await verbs.see("changes", { from: tree, to: after })).map(({ path }) => path);
  const work = { listed: contract.files ?? [], changed, outside };
  if (!(await steps.judge({ step: "Implement", contract, work }, after))) return undefined;
  const files = filesOf(changed, contract.files);
  steps.keep("Implement", forward.implementation(contract, files));
  return { from: tree, tree: after, contract, files };
}

/** Complex items only: does what was built still follow the ADR? */
async function validate(place: Place, { design: drawn }: Prepared, built: Built): Promise<boolean> {
  const step = "Architect (validation)";
  const implementation = forward.implementation(built.contract, built.files);
  const prior = { mode: "validation", ...(drawn ? { design: drawn } : {}), implementation };
  const answer = await place.steps.dispatch({ step, role: architect, tree: built.tree, prior, writes: [] });
  if (!answer || !(await place.steps.judge({ step, contract: answer.contract }, built.tree))) return false;
  place.steps.keep(step, forward.validation(answer.contract));
  return true;
}

type Tested = {
  readonly tree: Tree;
  readonly testing: ReturnType<typeof forward.testing>;
  readonly verification: Json;
};

/** Testing's word, and the engine's own run of the item's commands, about one tree. */
async function test(place: Place, { tree, contract: work, files }: Built): Promise<Tested | undefined> {
  const { verbs, steps, item, base, known, kept } = place;
  const implementation = { ...forward.implementation(work, files), evidence: work.evidence };
  const writes = [...TEST_FILES, ...kept];
  const answer = await steps.dispatch({ step: "Testing", role: testing, tree, prior: { implementation }, writes });
  if (!answer) return undefined;
  const {
    contract,
    answer: { after },
  } = answer;
  const evidence = await verbs.check(after, {
    baseline: base,
    commands: commandsOf(item, known),
    task: String(item.id),
  });
  const verification = verificationOf(item, known, evidence);
  steps.leave(verification.notRun);
  const accepted = evidence.tamper.length > 0 && (await isMeant(place, evidence.tamper));
  if (!(await steps.judge({ step: "Testing", contract, evidence, accepted }, after))) return undefined;
  const summary = forward.testing(contract);
  steps.keep("Testing", summary);
  return { tree: after, testing: summary, verification };
}

/** Weakened tests block the item unless a person says that they are part of it. */
async function isMeant({ verbs, item }: Place, tamper: readonly Finding[]): Promise<boolean> {
  const title = `Item ${item.id} weakens what checks it. Take it all the same?`;
  const show = { item: item.title, findings: tamper.map(({ message }) => message) };
  return (await verbs.ask({ title, show, choices: ["block", "accept"], auto: "block" })).choice === "accept";
}

/** The last word. Its list of files has those that Testing added, too. */
async function judgeAll(place: Place, proven: Built & Tested): Promise<boolean> {
  const { verbs, steps } = place;
  const { from, tree, contract: work, testing: summary, verification } = proven;
  const changed = (await verbs.see("changes", { from, to: tree })).map(({ path }) => path);
  const implementation = forward.implementation(work, filesOf(changed, work.files));
  const prior = { implementation, testing: summary, verification };
  const answer = await steps.dispatch({ step: "Review", role: review, tree, prior });
  if (!answer || !(await steps.judge({ step: "Review", contract: answer.contract }, tree))) return false;
  steps.keep("Review", forward.review(answer.contract));
  return true;
}
