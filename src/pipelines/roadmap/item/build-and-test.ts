import type { Finding } from "../../../core/authoring/finding.ts";
import type { Tree } from "../../../core/authoring/tree.ts";
import { TEST_FILES } from "../../../core/checks/guard/test-files.ts";
import type { Json } from "../../../core/text/json.ts";
import { cutDiff } from "../../check-finding.ts";
import type { ItemContext, Preparation } from "../context.ts";
import type { Contract } from "../contracts.ts";
import { architect, implement, review as reviewer, testing } from "../roles.ts";
import { describeFiles, forward } from "./item-context.ts";
import { describeVerification } from "./verification.ts";

/** Names of tests that fit no language's convention. */
const TEST_GLOBS = [TEST_FILES, "**/*.test.*", "**/*.spec.*", "**/*_test.*"];

type BuildResult = {
  readonly tree: Tree;
  readonly contract: Contract;
  readonly files: ReturnType<typeof describeFiles>;
};

export async function buildItem(
  context: ItemContext,
  { tree, findings, design: drawn }: Preparation,
): Promise<BuildResult | undefined> {
  const { verbs, steps, kept, adrs, earlier, base } = context;
  const prior = { ...findings, ...(drawn ? { design: drawn } : {}) };
  const writes = ["**", ...kept, ...(drawn ? [`!${adrs}/**`] : [])];
  const answer = await steps.dispatch({ step: "Implement", role: implement, tree, prior, writes });
  if (!answer) return undefined;
  const { contract } = answer;
  const { after, outside } = answer.left;
  const changed = await listChangedSince(verbs, tree, after);
  const already = earlier?.files ?? [];
  const whole = already.length > 0 ? await listChangedSince(verbs, base, after) : changed;
  const before = already.length > 0 ? { already, whole } : { already };
  const work = { due: true, listed: contract.files ?? [], changed, outside, ...before };
  if (!(await steps.judge({ step: "Implement", contract, work }, after))) return undefined;
  const files = describeFiles(
    whole.filter((path) => path !== drawn?.adrPath),
    contract.files,
  );
  steps.recordOutput("Implement", forward.implementation(contract, files));
  return { tree: after, contract, files };
}

const listChangedSince = async ({ see }: ItemContext["verbs"], from: Tree, to: Tree): Promise<readonly string[]> =>
  (await see("changes", { from, to })).map(({ path }) => path);

/**
 * Asks the architect whether the implementation follows the ADR; complex items only.
 * @rule R-14 (code) On complex items, Architect validation runs after implementation; drift blocks the item before
 *   testing.
 */
export async function validateItem(
  context: ItemContext,
  { design: drawn }: Preparation,
  built: BuildResult,
): Promise<boolean> {
  const step = "Architect (validation)";
  const implementation = forward.implementation(built.contract, built.files);
  const prior = { mode: "validation", ...(drawn ? { design: drawn } : {}), implementation };
  const answer = await context.steps.dispatch({ step, role: architect, tree: built.tree, prior, writes: [] });
  if (!answer) return false;
  const { contract } = answer;
  const work = toUnlistedWork(answer.left);
  if (!(await context.steps.judge({ step, contract, work }, built.tree))) return false;
  context.steps.recordOutput(step, forward.validation(contract));
  return true;
}

type TestResult = {
  readonly tree: Tree;
  readonly testing: ReturnType<typeof forward.testing>;
  readonly verification: Json;
};

/** Work of an agent that is asked for no file list; discarded changes are still reported. */
export const toUnlistedWork = ({ changed, outside }: { changed: readonly string[]; outside: readonly string[] }) => ({
  due: false,
  listed: [],
  changed,
  outside,
});

/** Runs Testing, then all configured commands on the resulting tree. */
export async function testItem(
  context: ItemContext,
  { tree, contract: work, files }: BuildResult,
): Promise<TestResult | undefined> {
  const { verbs, steps, item, base, known, kept } = context;
  const implementation = { ...forward.implementation(work, files), evidence: work.evidence };
  const prior = { implementation, diff: cutDiff(await verbs.see("diff", { from: base, to: tree })) };
  const answer = await steps.dispatch({
    step: "Testing",
    role: testing,
    tree,
    prior,
    writes: [...TEST_GLOBS, ...kept],
  });
  if (!answer) return undefined;
  const { contract } = answer;
  const { after } = answer.left;
  // Asks a person immediately, because there is no second round.
  const evidence = await verbs.check(after, { baseline: base, task: String(item.id), asks: "at once" });
  const verification = describeVerification(item, known, evidence);
  steps.recordNotRun(verification.notRun);
  steps.recordEvidence(evidence);
  const accepted = evidence.tamper.length > 0 && (await isIntended(context, { tamper: evidence.tamper, tree: after }));
  const seen = { evidence, accepted, work: toUnlistedWork(answer.left) };
  if (!(await steps.judge({ step: "Testing", contract, ...seen }, after))) return undefined;
  const summary = forward.testing(contract);
  steps.recordOutput("Testing", summary);
  return { tree: after, testing: summary, verification };
}

/** Asks whether weakened tests are intended; otherwise they block the item. */
async function isIntended({ verbs, steps, item }: ItemContext, { tamper, tree }: WeakenedTests): Promise<boolean> {
  const title = `Item ${item.id} weakens tests or checks. Accept it anyway?`;
  const show = { item: item.title, findings: tamper.map(({ message }) => message) };
  const paths = [...new Set(tamper.flatMap(({ files }) => files ?? []))];
  const question = { title, show, choices: ["block", "accept"], auto: "block", revises: "block", paths, tree } as const;
  const { choice, by } = await verbs.ask(question);
  if (choice === "accept") steps.recordAcceptance("weaker checks", by);
  return choice === "accept";
}

type WeakenedTests = { readonly tamper: readonly Finding[]; readonly tree: Tree };

/** Runs Review. Its file list also contains the ADR and the tests. */
export async function reviewItem(context: ItemContext, proven: BuildResult & TestResult): Promise<boolean> {
  const { verbs, steps, base } = context;
  const { tree, contract: work, testing: summary, verification } = proven;
  const changed = await listChangedSince(verbs, base, tree);
  const implementation = forward.implementation(work, describeFiles(changed, work.files));
  const diff = cutDiff(await verbs.see("diff", { from: base, to: tree }));
  const prior = { implementation, testing: summary, verification, diff };
  const answer = await steps.dispatch({ step: "Review", role: reviewer, tree, prior });
  if (!answer || !(await steps.judge({ step: "Review", contract: answer.contract }, tree))) return false;
  steps.recordOutput("Review", forward.review(answer.contract));
  return true;
}
