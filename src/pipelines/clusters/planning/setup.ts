import type { Verbs } from "../../../core/authoring/verbs.ts";
import type { Depth } from "../../depth.ts";
import { toFeatureSlug } from "../../slug.ts";
import { DOCUMENTS, getFeatureFolder } from "../artifacts.ts";
import { type FeatureContext, openContext, requestText } from "../context.ts";
import { listSkippedRules } from "../depth.ts";
import { EMPTY } from "../memory/memory.ts";

export type Input = {
  readonly request: string;
  readonly slug?: string | undefined;
  readonly depth?: Depth | undefined;
};

/**
 * Runs step 0: writes the request and an empty memory into a folder without outputs.
 * @rule C-02 (code) Step 0 writes `initial-request.md`, which every agent gets, and `memory.md` with its four sections.
 */
export async function setUp(verbs: Verbs<Input>): Promise<FeatureContext> {
  const { input, phase, see, write } = verbs;
  phase("0 Setup");
  const slug = input.slug ?? toFeatureSlug(input.request);
  const base = await see("head");
  const { protectedPaths } = await see("startup");
  const { request, depth = "full" } = input;
  const context = openContext(verbs, { slug, request, depth, base, protectedPaths });
  await context.begin("0 Setup");
  if (depth !== "full") await context.tell({ left_out: [...listSkippedRules(depth)] });
  const there = await listOutputs(verbs, getFeatureFolder(slug), base);
  if (there.length > 0) {
    const way = "use another slug (--input slug=…) or move them";
    return context.halt(`${getFeatureFolder(slug)} already has outputs; ${way}: ${there.join(", ")}`);
  }
  await write(context.at(DOCUMENTS.request), requestText(request, []));
  await context.remember(EMPTY);
  return context;
}

/**
 * Lists the committed and uncommitted outputs of the folder. The decision log may exist, because later runs continue
 * it.
 * @rule C-48 (policy) A run stops if the slug's folder already has outputs, and lists them.
 */
async function listOutputs({ see }: Verbs<Input>, folder: string, base: { tree: string }): Promise<string[]> {
  const committed = await see("files", { under: folder, in: base });
  const { dirt } = await see("checkout");
  const fresh = dirt.filter((path) => path.startsWith(`${folder}/`));
  return [...new Set([...committed, ...fresh])].filter((path) => path !== `${folder}/${DOCUMENTS.decisions}`).sort();
}
