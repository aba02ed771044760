import type { Tree } from "../../core/tree.ts";
import type { Verbs } from "../../core/verbs.ts";
import { adrPathOf, type Contract } from "./contracts.ts";
import type { Item } from "./roadmap.ts";
import { architect, implement, research, review, testing } from "./roles.ts";
import { firstLines, needsResearch } from "./rules.ts";
import { type ItemResult, type Start, type Steps, stepsOf } from "./steps.ts";

const DESIGN_ONLY = "Architect (design)";
const SCAFFOLD = "Scaffold project from ADR";
const TEST_FILES = ["test/**", "tests/**", "**/*.test.*", "**/*.spec.*", "**/*_test.*"];

type Place = { readonly verbs: Verbs<unknown>; readonly steps: Steps; readonly item: Item; readonly base: Tree };
type Prepared = { readonly tree: Tree; readonly research: unknown; readonly design?: { readonly adrPath: string } };
type Built = {
  readonly tree: Tree;
  readonly files: NonNullable<Contract["files"]>;
  readonly evidence: readonly string[];
};

/** Sends one item down the pipeline of its complexity; the first step that does not pass blocks it. */
export async function runItem(verbs: Verbs<unknown>, start: Start): Promise<ItemResult> {
  const { item, base } = start;
  const steps = stepsOf(verbs, start);
  const place = { verbs, steps, item, base };
  const title = item.title.trim();

  const prepared = title === SCAFFOLD ? await takeAdr(place) : await prepare(place);
  if (!prepared) return steps.blocked();
  if (title === DESIGN_ONLY) return steps.done(prepared.tree);

  const built = await build(place, prepared);
  if (!built) return steps.blocked();
  const proven = await prove(place, built);
  return proven ? steps.done(proven) : steps.blocked();
}

/** Research and design, as far as the item's complexity asks for them. */
async function prepare({ verbs, steps, item, base }: Place): Promise<Prepared | undefined> {
  const alone = item.title.trim() === DESIGN_ONLY;
  let found: unknown = item.planningResearch;
  if (item.complexity === "simple" && !alone) return { tree: base, research: found };
  if (!alone && needsResearch(item)) {
    verbs.phase("Research");
    const at = { step: "Research", role: research, tree: base } as const;
    const answer = await steps.run(at, { planningResearch: item.planningResearch });
    if (!answer) return undefined;
    found = { status: answer.status, evidence: answer.evidence, learnings: answer.learnings };
  }
  verbs.phase("Architect");
  const at = { step: "Architect (design)", role: architect, tree: base, writes: ["docs/adr/**"] } as const;
  const drawn = await steps.run(at, { mode: "design", research: found });
  if (!drawn) return undefined;
  const { status, mode, interfaces, boundaries, learnings, after } = drawn;
  const design = { status, mode, adrPath: adrPathOf(drawn) ?? "", interfaces, boundaries, learnings };
  return { tree: after, research: found, design };
}

/** A scaffold item is built from the ADR that an earlier design item left. */
async function takeAdr({ verbs, steps, base }: Place): Promise<Prepared | undefined> {
  const adrPath = (await verbs.see("files", { under: "docs/adr", in: base })).at(-1);
  if (adrPath) return { tree: base, research: null, design: { adrPath } };
  steps.refuse("Implement", "there is no ADR under docs/adr to scaffold from");
  return undefined;
}

async function build(place: Place, { tree, research: found, design }: Prepared): Promise<Built | undefined> {
  const { verbs, steps, item, base } = place;
  verbs.phase("Implement");
  const answer = await steps.run({ step: "Implement", role: implement, tree }, { research: found, design });
  if (!answer) return undefined;
  const files = filesOf(await verbs.see("changes", { from: base, to: answer.after }), answer.files);
  const built = { tree: answer.after, files, evidence: answer.evidence };
  if (item.complexity !== "complex" || item.title.trim() === SCAFFOLD) return built;

  verbs.phase("Architect validation");
  const at = { step: "Architect (validation)", role: architect, tree: built.tree, writes: [] } as const;
  return (await steps.run(at, { mode: "validation", design, files })) ? built : undefined;
}

/** Testing, the engine's own run of the item's commands, and review: all about one tree. */
async function prove({ verbs, steps, item, base }: Place, built: Built): Promise<Tree | undefined> {
  const { phase, see, check } = verbs;
  const { files, evidence: told } = built;
  phase("Testing");
  const at = { step: "Testing", role: testing, tree: built.tree, writes: TEST_FILES } as const;
  const tests = await steps.dispatch(at, { files, evidence: told });
  if (!tests) return undefined;
  const tree = tests.after;
  const commands = commandsFor(item, (await see("startup")).commands);
  const options = { baseline: base, commands, task: String(item.id) };
  const evidence = commands.length > 0 ? await check(tree, options) : undefined;
  if (!(await steps.judge("Testing", { contract: tests, tree, ...(evidence && { evidence }) }))) return undefined;

  phase("Review");
  const summary = { status: tests.status, evidence: tests.evidence, failures: tests.failures.map(firstLines) };
  const verdict = await steps.run({ step: "Review", role: review, tree }, { files, tests: summary });
  return verdict ? tree : undefined;
}

/** Only commands that the configuration knows are ever run; the rest of `verification` is for people. */
function commandsFor(item: Item, known: Readonly<Record<string, string>>): string[] {
  const named = Object.entries(known).filter(([name, run]) =>
    item.verification.some((text) => text === name || text === run),
  );
  return named.map(([name]) => name);
}

/** What really changed, with the implementer's own words where it has some. */
function filesOf(changes: readonly { readonly path: string }[], told: NonNullable<Contract["files"]>) {
  return changes.map(({ path }) => ({ path, description: told.find((file) => file.path === path)?.description ?? "" }));
}
