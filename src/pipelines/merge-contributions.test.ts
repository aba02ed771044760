import { expect, test } from "vitest";
import type { MergeResult, Verbs } from "../core/authoring/verbs.ts";
import { splitIntoBatches } from "./batches.ts";
import { mergeContributions } from "./merge-contributions.ts";
import { toFeatureSlug } from "./slug.ts";

/** Trees whose ids start with the same letter conflict. */
const verbs: Pick<Verbs<unknown>, "merge" | "within"> = {
  within: (_name, body) => body(),
  async merge(_base, trees): Promise<MergeResult> {
    const letters = trees.map(({ tree }) => tree.charAt(0));
    const at = letters.findIndex((letter, index) => letters.indexOf(letter) !== index);
    if (at !== -1) return { clean: false, at, conflicts: [`${letters[at]}.ts`] };
    return { clean: true, tree: { tree: trees.map(({ tree }) => tree).join("+") } };
  },
};
const work = (id: string, tree: string) => ({ id, after: { tree } });

test("[A-15] of two conflicting contributions the later is left out and reported with the paths", async () => {
  const merged = await mergeContributions(verbs, { tree: "base" }, [
    work("1", "a1"),
    work("2", "a2"),
    work("3", "b1"),
    work("4", "b2"),
  ]);
  expect(merged).toEqual({
    tree: { tree: "a1+b1" },
    taken: ["1", "3"],
    conflicts: [
      { id: "2", files: ["a.ts"] },
      { id: "4", files: ["b.ts"] },
    ],
  });
});

test("with nothing to integrate the result is the base", async () => {
  expect(await mergeContributions(verbs, { tree: "base" }, [])).toEqual({
    tree: { tree: "base" },
    taken: [],
    conflicts: [],
  });
});

test("batches keep order and size", () => {
  expect(splitIntoBatches([1, 2, 3, 4, 5], 2)).toEqual([[1, 2], [3, 4], [5]]);
  expect(splitIntoBatches([], 4)).toEqual([]);
});

test("[L-32] the slug is kebab-case from the request", () => {
  expect(toFeatureSlug("Greet People, by Name!")).toBe("greet-people-by-name");
  expect(toFeatureSlug("¿?")).toBe("feature");
});
