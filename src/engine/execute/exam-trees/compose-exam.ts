import type { Change } from "../../../core/authoring/observations.ts";
import { isTextCheck } from "../../../core/checks/detect/text-check.ts";
import { classifyPath } from "../../../core/checks/exam/exam-path.ts";
import { isPackages } from "../../../core/checks/exam/locks/package-files.ts";
import { readManifestScripts } from "../../../core/checks/exam/parts/json-parts.ts";
import type { StartedPrograms } from "../../../core/checks/exam/started-programs.ts";
import type { ExamRequest, ExamTrees } from "../../../core/journal/effect.ts";
import type { ComposeOrder, Workspace } from "../../../core/ports/workspace.ts";
import { classifySide, type ExamSide } from "./classify-side.ts";
import { findConfiguredHalf } from "./configured-half.ts";
import { composeDivisions } from "./divisions.ts";
import { findMingled, findOverlooked, findSwallowed } from "./doubtful-files.ts";
import { findStarts } from "./find-starts.ts";
import { composeOldCheckSettings, findMeasuringLines } from "./old-check-settings.ts";
import { findReplacedPackages } from "./replaced-by-change.ts";
import { findPartlyDoubtful, type Splice, splitFile } from "./split-file.ts";
import { composeSurroundings } from "./surroundings.ts";

/**
 * Composes the trees on which a change is cross-examined; the same request gives the same trees. The old tests are what
 * was a test in the old tree, which the author of the change could not influence; the new tree is used only for what is
 * new there. Files that cannot be separated stay with the code and are reported.
 */
export async function composeExam(workspace: Workspace, request: ExamRequest): Promise<ExamTrees> {
  const changes = await workspace.changes(request.old, request.new);
  const parted = await splitChange(workspace, request, changes);
  const order = createComposeOrder(parted, { from: request.old, way: "back" });
  const oldOnNew = await workspace.compose(request.new, order);
  const newOnOld = await workspace.compose(
    request.old,
    createComposeOrder(parted, { from: request.new, way: "forth" }),
  );
  const packages = selectPackageFiles(parted, changes);
  const oldPackages = await workspace.compose(oldOnNew, { from: request.old, paths: packages, texts: [] });
  const examined = oldOnNew !== request.new;
  return {
    ...listTouched(parted, changes),
    ...(await composeDoubtful(workspace, { request, parted, changes, oldOnNew, order })),
    ...(await findTextCommands(workspace, request)),
    ...(await findReplacedPackages(workspace, request, changes)),
    ...(await composeOldCheckSettings(workspace, { request, changes, starts: parted.starts, packages })),
    ...(examined ? { oldOnNew } : {}),
    ...(newOnOld === request.old ? {} : { newOnOld }),
    ...(examined && oldPackages !== oldOnNew ? { oldOnNewOldPackages: oldPackages } : {}),
  };
}

/** Lists every tree that tests may run on, also days later. */
export function listComposedTrees({
  oldOnNew,
  newOnOld,
  oldOnNewOldPackages,
  doubtful,
  around,
  oldSettings,
}: ExamTrees): readonly string[] {
  const others = [...(doubtful ?? []), ...(around ?? [])].map(({ tree }) => tree);
  const emptied = (around ?? []).map((each) => each.emptied);
  const checks = [oldSettings?.tree, oldSettings?.oldPackages];
  const trees = [oldOnNew, newOnOld, oldOnNewOldPackages, ...others, ...emptied, ...checks];
  return [...new Set(trees.filter((tree) => tree !== undefined))];
}

async function findTextCommands(
  workspace: Workspace,
  { old, lines = [] }: ExamRequest,
): Promise<Pick<ExamTrees, "reading" | "measuring">> {
  const scripts = readManifestScripts((await workspace.file("package.json", old))?.text ?? "");
  const reading = lines.filter((run) => isTextCheck({ name: "", run }, scripts));
  const measuring = await findMeasuringLines(workspace, { old, lines, scripts });
  return { ...(reading.length > 0 ? { reading } : {}), ...(measuring.length > 0 ? { measuring } : {}) };
}

type ComposedExam = {
  readonly request: ExamRequest;
  readonly parted: SplitChange;
  readonly changes: readonly Change[];
  readonly oldOnNew: string;
  readonly order: ComposeOrder;
};

/** Runs only if the files of tests are known: a verifier that composes old tests again does not need these. */
async function composeDoubtful(workspace: Workspace, { parted, ...composed }: ComposedExam) {
  const { request, changes } = composed;
  if (request.collected === undefined) return {};
  const isOpen = (path: string) => findConfiguredHalf(request, path) === undefined;
  const partly = await findPartlyDoubtful(workspace, { ...request, changes, splices: parted.splices });
  const whole = await findOverlooked(workspace, { ...request, changes }, parted);
  const around = await composeSurroundings(workspace, {
    ...composed,
    lone: parted.lone.filter(isOpen),
    packages: selectPackageFiles(parted, changes),
  });
  const mixed = await composeDivisions(workspace, {
    ...composed,
    swallowed: (await findSwallowed(workspace, request, parted)).filter(isOpen),
    overlooked: [...new Set([...whole, ...partly.keys()])].filter(isOpen),
    partly,
  });
  return { ...mixed, ...around };
}

type SplitChange = {
  /** Restored for the old tests, and applied for the new ones. */
  readonly back: ReadonlySet<string>;
  readonly forth: ReadonlySet<string>;
  readonly splices: readonly Splice[];
  readonly unsure: readonly string[];
  readonly doubtful: readonly string[];
  readonly lone: readonly string[];
  readonly starts: StartedPrograms;
};

async function splitChange(
  workspace: Workspace,
  request: ExamRequest,
  changes: readonly Change[],
): Promise<SplitChange> {
  const listPresent = (absent: ChangeStatus) =>
    changes.filter(({ status }) => status !== absent).map(({ path }) => path);
  const starts = await findStarts(workspace, request.old, request.lines ?? []);
  const then = await classifySide(workspace, { tree: request.old, paths: listPresent("added"), starts });
  const added = new Set(changes.filter(({ status }) => status === "added").map(({ path }) => path));
  const now = await classifySide(workspace, { tree: request.new, paths: listPresent("deleted"), starts, added });
  const splices: Splice[] = [];
  const isOpen = (path: string) => findConfiguredHalf(request, path) === undefined;
  for (const change of changes.filter(({ path }) => classifyPath(path) === "mixed" && isOpen(path))) {
    splices.push(await splitFile(workspace, { ...request, change, lines: starts.lines }));
  }
  const back = chooseHalf(changes, { request, first: then, other: now, absent: "added" });
  const forth = chooseHalf(changes, { request, first: now, other: then, absent: "deleted" });
  const unreadable = changes.map(({ path }) => path).filter((path) => path.includes("\uFFFD"));
  const within = await findMingled(workspace, request, changes);
  const unsure = [...then.unsure, ...now.unsure, ...back.blocked, ...forth.blocked, ...unreadable, ...within];
  const parts = { back: back.taken, forth: forth.taken, splices, starts };
  return { ...parts, unsure: unsure.filter(isOpen), doubtful: then.doubtful, lone: then.lone };
}

type ChangeStatus = Change["status"];
type HalfChoice = {
  readonly request: ExamRequest;
  readonly first: ExamSide;
  readonly other: ExamSide;
  readonly absent: ChangeStatus;
};

/**
 * Assigned by the configuration, else by the tree whose tests they are; by the other tree only if the first lacks the
 * file.
 */
function chooseHalf(changes: readonly Change[], { request, first, other, absent }: HalfChoice) {
  const selectSide = (status: ChangeStatus) => (status === absent ? other : first);
  const isExamByUse = ({ path, status }: Change) =>
    selectSide(status).exam.has(path) || (absent === "added" && selectSide(status).aside.has(path));
  const isExam = (change: Change) => {
    const half = findConfiguredHalf(request, change.path);
    return half === undefined ? isExamByUse(change) : half === "tests";
  };
  const [exam, code] = [changes.filter(isExam), changes.filter((change) => !isExam(change))];
  // If a file and a folder collide, the code keeps its place, and the missing tests count as failing.
  const places = code.filter(({ status }) => status === absent).map(({ path }) => path);
  const isBlocked = ({ path, status }: Change) => status !== absent && places.some((place) => isCollision(path, place));
  const blocked = exam.filter(isBlocked).map(({ path }) => path);
  const taken = new Set(exam.map(({ path }) => path).filter((path) => !blocked.includes(path)));
  return { taken, blocked };
}

function isCollision(one: string, other: string): boolean {
  return one.startsWith(`${other}/`) || other.startsWith(`${one}/`);
}

function createComposeOrder(
  { back, forth, splices }: SplitChange,
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

/** Returns all of them or none: a manifest needs its own lock. */
function selectPackageFiles({ back, splices }: SplitChange, changes: readonly Change[]): readonly string[] {
  const mixed = new Map(splices.map((splice) => [splice.path, splice]));
  const files = changes.map(({ path }) => path).filter((path) => isPackages(path) && !back.has(path));
  return files.some((path) => mixed.get(path)?.otherPackages ?? true) ? files : [];
}

function listTouched({ back, forth, splices, unsure }: SplitChange, changes: readonly Change[]) {
  const mixed = new Map(splices.map((splice) => [splice.path, splice]));
  const isExam = (path: string) => back.has(path) || forth.has(path) || hasExamChange(mixed.get(path));
  const isCode = (path: string) =>
    mixed.has(path) ? hasCodeChange(mixed.get(path)) : !(back.has(path) && forth.has(path));
  const paths = changes.map(({ path }) => path).sort();
  const apart = splices.filter((splice) => splice.unsure).map(({ path }) => path);
  return {
    exam: paths.filter(isExam),
    code: paths.filter(isCode),
    inseparable: [...new Set([...unsure, ...apart])].sort(),
  };
}

function hasExamChange(splice: Splice | undefined): boolean {
  if (splice?.oldOnNew === undefined) return false;
  return splice.oldOnNew !== splice.after || splice.newOnOld !== splice.before;
}

function hasCodeChange(splice: Splice | undefined): boolean {
  if (splice?.oldOnNew === undefined) return true;
  return splice.oldOnNew !== splice.before || splice.newOnOld !== splice.after;
}
