import { isSharedSettings } from "../../../core/checks/exam/exam-path.ts";
import { getStem } from "../../../core/checks/exam/uses/mention.ts";
import type { ExamTrees } from "../../../core/journal/effect.ts";
import type { Workspace } from "../../../core/ports/workspace.ts";
import type { OldOnNew } from "./old-on-new.ts";

/** Up to this many files, every division into tests and code is tried; beyond that, a person is asked. */
const MOST_FILES = 4;

export type DivisionOrder = OldOnNew & {
  /** Tests by name that may belong to the product. */
  readonly swallowed: readonly string[];
  /** Code by name that may belong to the tests. */
  readonly overlooked: readonly string[];
  /** Files among them of which only a part may belong to the tests: their text with the old version of that part. */
  readonly partly: ReadonlyMap<string, string>;
};

type DoubtfulTrees = Pick<ExamTrees, "doubtful" | "tangled">;

/**
 * Composes a tree for each way in which uncertain files may be tests or code, because names and uses do not always tell
 * them apart: all of them as one or the other, and any mix.
 */
export async function composeDivisions(workspace: Workspace, mixing: DivisionOrder): Promise<DoubtfulTrees> {
  const { request, oldOnNew, swallowed, overlooked } = mixing;
  const bound = await findCompanions(workspace, mixing);
  const followers = new Set([...bound.values()].flat());
  const units = [...new Set([...swallowed, ...overlooked])].filter((path) => !followers.has(path));
  const found = new Map<string, NonNullable<DoubtfulTrees["doubtful"]>[number]>();
  const addDivision = async (
    now: readonly string[],
    told: { readonly paths: readonly string[]; was?: readonly string[] },
  ) => {
    const tree = await composeDivision(workspace, mixing, [...now, ...now.flatMap((path) => bound.get(path) ?? [])]);
    if (tree !== request.new && tree !== oldOnNew && !found.has(tree)) found.set(tree, { tree, ...told });
  };
  if (swallowed.length > 0) await addDivision([...swallowed, ...overlooked], { paths: swallowed });
  if (overlooked.length > 0) await addDivision([], { paths: overlooked });
  for (const [now, was] of units.length <= MOST_FILES ? listDivisions(units) : []) {
    await addDivision(now, { paths: now, was });
  }
  return {
    ...(found.size > 0 ? { doubtful: [...found.values()] } : {}),
    ...(units.length > MOST_FILES ? { tangled: units } : {}),
  };
}

/** Lists every way to divide the files in two non-empty parts; one against the rest comes first. */
function listDivisions(units: readonly string[]): readonly (readonly [readonly string[], readonly string[]])[] {
  const all = Array.from({ length: 2 ** units.length }, (_, bits) => {
    const isIn = (at: number) => (bits & (1 << at)) !== 0;
    return [units.filter((_unit, at) => isIn(at)), units.filter((_unit, at) => !isIn(at))] as const;
  });
  const whole = all.filter(([now, was]) => now.length > 0 && was.length > 0);
  return whole.toSorted((a, b) => Math.min(a[0].length, a[1].length) - Math.min(b[0].length, b[1].length));
}

/**
 * Composes the old tests on the new code, with these files as they are now and the other uncertain ones as they were.
 */
function composeDivision(
  workspace: Workspace,
  { request, order, overlooked, partly }: DivisionOrder,
  now: readonly string[],
) {
  const kept = new Set(now);
  const whole = [...order.paths, ...overlooked].filter((path) => !partly.has(path));
  const texts = [
    ...order.texts.filter(({ path }) => !partly.has(path)),
    ...[...partly].map(([path, text]) => ({ path, text })),
  ];
  return workspace.compose(request.new, {
    from: request.old,
    paths: whole.filter((path) => !kept.has(path)),
    texts: texts.filter(({ path }) => !kept.has(path)),
  });
}

/**
 * Finds new test files that an uncertain file needs, such as a new helper of a recipe or settings: without them its new
 * version could not run.
 */
async function findCompanions(
  workspace: Workspace,
  mixing: DivisionOrder,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const { request, changes, order, swallowed } = mixing;
  const put = new Set(order.paths);
  const added = new Set(changes.filter(({ status }) => status === "added").map(({ path }) => path));
  const doubtful = new Set(swallowed);
  const found = new Map<string, readonly string[]>();
  for (const path of swallowed.filter((each) => !added.has(each))) {
    const text = (await workspace.file(path, request.new))?.text ?? "";
    const follows = [...added].filter((each) => put.has(each) && (doubtful.has(each) || isSharedSettings(path)));
    found.set(
      path,
      follows.filter((each) => hasStem(text, each)),
    );
  }
  return found;
}

function hasStem(text: string, path: string): boolean {
  const stem = getStem(path.split("/").at(-1) ?? "").replace(/[^\w]/g, "\\$&");
  return stem.length > 0 && new RegExp(`(?:^|[^\\w])${stem}(?:[^\\w]|$)`, "m").test(text);
}
