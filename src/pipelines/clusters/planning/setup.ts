import type { Verbs } from "../../core/verbs.ts";
import { slugOf } from "../slug.ts";
import { DOCUMENTS, folderOf } from "./artifacts.ts";
import { type Feature, openFeature } from "./feature.ts";
import { EMPTY } from "./memory.ts";

export type Input = { readonly request: string; readonly slug?: string | undefined };

/** Step 0: the request and an empty memory, in a folder that nobody has written into. */
export async function setUp(verbs: Verbs<Input>): Promise<Feature> {
  const { input, phase, see, write } = verbs;
  phase("0 Setup");
  const slug = input.slug ?? slugOf(input.request);
  const base = await see("head");
  const { protectedPaths } = await see("startup");
  const feature = openFeature(verbs, { slug, base, protectedPaths });
  await feature.begin("0 Setup");
  const there = await outputsIn(verbs, folderOf(slug), base);
  if (there.length > 0) {
    const way = "start with another slug (--input slug=…), or move them away first";
    return feature.halt(`${folderOf(slug)} has outputs already; ${way}: ${there.join(", ")}`);
  }
  await write(feature.at(DOCUMENTS.request), `${input.request.trimEnd()}\n`);
  await feature.remember(EMPTY);
  return feature;
}

/** Committed or not. The log of decisions goes on from run to run, so it may be there. */
async function outputsIn({ see }: Verbs<Input>, folder: string, base: { tree: string }): Promise<string[]> {
  const committed = await see("files", { under: folder, in: base });
  const { dirt } = await see("checkout");
  const fresh = dirt.filter((path) => path.startsWith(`${folder}/`));
  return [...new Set([...committed, ...fresh])].filter((path) => path !== `${folder}/${DOCUMENTS.decisions}`).sort();
}
