import type { ExamRequest, ExamTrees } from "../../core/effect.ts";
import { pathKind } from "../../core/evidence/exam/exam-path.ts";
import { isPackages } from "../../core/evidence/exam/packages.ts";
import type { Starts } from "../../core/evidence/exam/started.ts";
import type { ComposeOrder, Workspace } from "../../core/ports/workspace.ts";
import type { Change } from "../../core/sight.ts";
import { mingled, overlooked, swallowed } from "./exam-doubts.ts";
import { type ExamSide, examSide } from "./exam-side.ts";
import { type Splice, spliceOf } from "./exam-splice.ts";
import { startsIn } from "./exam-starts.ts";

/**
 * Composes the trees on which a change is cross-examined; the same request gives the same trees. The old exam is what
 * was the exam in the old tree, where nobody who made the change could have a say; only for what is new there the new
 * tree is asked. What cannot be told apart goes with the code and is said to be so.
 */
export async function composeExam(workspace: Workspace, request: ExamRequest): Promise<ExamTrees> {
  const changes = await workspace.changes(request.old, request.new);
  const parted = await partChange(workspace, request, changes);
  const oldOnNew = await workspace.compose(request.new, orderOf(parted, { from: request.old, way: "back" }));
  const newOnOld = await workspace.compose(request.old, orderOf(parted, { from: request.new, way: "forth" }));
  const packages = packagesOf(parted, changes);
  const oldPackages = await workspace.compose(oldOnNew, { from: request.old, paths: packages, texts: [] });
  const examined = oldOnNew !== request.new;
  const doubtful = await doubtsOf(workspace, { request, parted, changes, oldOnNew });
  return {
    ...listsOf(parted, changes),
    ...(doubtful.length > 0 ? { doubtful } : {}),
    ...(examined ? { oldOnNew } : {}),
    ...(newOnOld === request.old ? {} : { newOnOld }),
    ...(examined && oldPackages !== oldOnNew ? { oldOnNewOldPackages: oldPackages } : {}),
  };
}

type Composed = {
  readonly request: ExamRequest;
  readonly parted: Parted;
  readonly changes: readonly Change[];
  readonly oldOnNew: string;
};

/** Only where it is known which files tests come from: whoever composes an old exam again has no need of them. */
async function doubtsOf(workspace: Workspace, { request, parted, changes, oldOnNew }: Composed) {
  if (request.collected === undefined) return [];
  const more = await swallowed(workspace, request, parted);
  const less = await overlooked(workspace, { ...request, changes, oldOnNew }, parted);
  return [more, less].filter((each) => each !== undefined);
}

type Parted = {
  /** Put back to make the old exam, and put forth to make the new one. */
  readonly back: ReadonlySet<string>;
  readonly forth: ReadonlySet<string>;
  readonly splices: readonly Splice[];
  readonly unsure: readonly string[];
  readonly starts: Starts;
};

async function partChange(workspace: Workspace, request: ExamRequest, changes: readonly Change[]): Promise<Parted> {
  const there = (absent: Status) => changes.filter(({ status }) => status !== absent).map(({ path }) => path);
  const starts = await startsIn(workspace, request.old, request.lines ?? []);
  const then = await examSide(workspace, { tree: request.old, paths: there("added"), starts });
  const added = new Set(changes.filter(({ status }) => status === "added").map(({ path }) => path));
  const now = await examSide(workspace, { tree: request.new, paths: there("deleted"), starts, added });
  const splices: Splice[] = [];
  for (const change of changes.filter(({ path }) => pathKind(path) === "mixed")) {
    splices.push(await spliceOf(workspace, { ...request, change, lines: starts.lines }));
  }
  const back = chosen(changes, { first: then, other: now, absent: "added" });
  const forth = chosen(changes, { first: now, other: then, absent: "deleted" });
  const unreadable = changes.map(({ path }) => path).filter((path) => path.includes("\uFFFD"));
  const within = await mingled(workspace, request, changes);
  const unsure = [...then.unsure, ...now.unsure, ...back.blocked, ...forth.blocked, ...unreadable, ...within];
  return { back: back.taken, forth: forth.taken, splices, unsure, starts };
}

type Status = Change["status"];
type Choice = { readonly first: ExamSide; readonly other: ExamSide; readonly absent: Status };

/** By the tree whose exam it is; by the other one only what the first does not have. */
function chosen(changes: readonly Change[], { first, other, absent }: Choice) {
  const sideOf = (status: Status) => (status === absent ? other : first);
  const isExam = ({ path, status }: Change) =>
    sideOf(status).exam.has(path) || (absent === "added" && sideOf(status).aside.has(path));
  const [exam, code] = [changes.filter(isExam), changes.filter((change) => !isExam(change))];
  // A file and a folder of the same name: the code keeps its place, and the tests are missing, which counts as failing.
  const places = code.filter(({ status }) => status === absent).map(({ path }) => path);
  const isBlocked = ({ path, status }: Change) => status !== absent && places.some((place) => collide(path, place));
  const blocked = exam.filter(isBlocked).map(({ path }) => path);
  const taken = new Set(exam.map(({ path }) => path).filter((path) => !blocked.includes(path)));
  return { taken, blocked };
}

function collide(one: string, other: string): boolean {
  return one.startsWith(`${other}/`) || other.startsWith(`${one}/`);
}

function orderOf(
  { back, forth, splices }: Parted,
  { from, way }: { from: string; way: "back" | "forth" },
): ComposeOrder {
  const mixed = splices.map(({ path, before, after, oldOnNew, newOnOld }) => {
    const [text, code, exam] = way === "back" ? [oldOnNew, after, before] : [newOnOld, before, after];
    return { path, text: text ?? code, code, exam };
  });
  const moved = mixed.filter(({ text, code }) => text !== code);
  const whole = moved.filter(({ text, exam }) => text === exam).map(({ path }) => path);
  const texts = moved.filter(({ text, exam }) => text !== exam).map(({ path, text }) => ({ path, text }));
  return { from, paths: [...(way === "back" ? back : forth), ...whole], texts };
}

/** All of them or none: a manifest and the lock of another one do not go together. */
function packagesOf({ back, splices }: Parted, changes: readonly Change[]): readonly string[] {
  const mixed = new Map(splices.map((splice) => [splice.path, splice]));
  const files = changes.map(({ path }) => path).filter((path) => isPackages(path) && !back.has(path));
  return files.some((path) => mixed.get(path)?.otherPackages ?? true) ? files : [];
}

function listsOf({ back, forth, splices, unsure }: Parted, changes: readonly Change[]) {
  const mixed = new Map(splices.map((splice) => [splice.path, splice]));
  const isExam = (path: string) => back.has(path) || forth.has(path) || changesExam(mixed.get(path));
  const isCode = (path: string) =>
    mixed.has(path) ? changesCode(mixed.get(path)) : !(back.has(path) && forth.has(path));
  const paths = changes.map(({ path }) => path).sort();
  const apart = splices.filter((splice) => splice.unsure).map(({ path }) => path);
  return {
    exam: paths.filter(isExam),
    code: paths.filter(isCode),
    inseparable: [...new Set([...unsure, ...apart])].sort(),
  };
}

function changesExam(splice: Splice | undefined): boolean {
  if (splice?.oldOnNew === undefined) return false;
  return splice.oldOnNew !== splice.after || splice.newOnOld !== splice.before;
}

function changesCode(splice: Splice | undefined): boolean {
  if (splice?.oldOnNew === undefined) return true;
  return splice.oldOnNew !== splice.before || splice.newOnOld !== splice.after;
}
