import { isTestSettings, pathKind } from "../../../core/checks/exam/exam-path.ts";
import { isProse } from "../../../core/checks/exam/expectations.ts";
import { isShadow } from "../../../core/checks/exam/shadow.ts";
import { isSource } from "../../../core/checks/exam/source-path.ts";
import { isLoadedByPlace } from "../../../core/checks/exam/uses/loaded-by-place.ts";
import { bringsIn, looksAround, needsImport } from "../../../core/checks/exam/uses/looking.ts";
import { wordFor } from "../../../core/checks/exam/uses/mention.ts";
import { importHeads } from "../../../core/checks/exam/uses/python-import.ts";
import { type Use, usesIn } from "../../../core/checks/exam/uses/use.ts";
import type { ExamTrees } from "../../../core/journal/effect.ts";
import type { Workspace } from "../../../core/ports/workspace.ts";
import { withOldDevelopment } from "./exam-development.ts";
import { halfOf } from "./exam-halves.ts";
import { shadowsAmong } from "./exam-shadows.ts";
import type { OldOnNew } from "./old-on-new.ts";

/** Of so many sources each sits alone as it was, and then all of them. */
const MOST_LONE = 4;
const MOST_SOURCES = 200;

export type AroundOrder = OldOnNew & {
  /** Sources that only tests import. */
  readonly lone: readonly string[];
  /** Files that say which packages are installed, where these are other ones now. */
  readonly packages: readonly string[];
};

type Around = NonNullable<ExamTrees["around"]>[number];

/**
 * Code can look at what lies around it and behave by it. The old tests sit without the tests that a change adds; so they
 * sit once more beside these, as whoever has the commit finds them, and without what it adds outside of the product,
 * which users of the product may never get. And they sit with a source that only tests import as it was.
 */
export async function aroundOf(workspace: Workspace, asked: AroundOrder): Promise<Pick<ExamTrees, "around">> {
  const looking = await lookersIn(workspace, asked);
  const found = [
    ...(await besideAdded(workspace, asked, looking.length > 0)),
    ...(await withoutStrangers(workspace, asked, looking)),
    ...(await withLone(workspace, asked)),
    ...(await withOldDevelopment(workspace, asked)),
  ];
  const known = new Set([asked.request.new, asked.request.old, asked.oldOnNew]);
  const fresh = found.filter(({ tree }) => !known.has(tree) && known.add(tree));
  return fresh.length > 0 ? { around: fresh } : {};
}

/** Sources of the code, as they are now, that can find out what lies around them. */
async function lookersIn(workspace: Workspace, { request, changes, order }: AroundOrder): Promise<readonly string[]> {
  const back = new Set(order.paths);
  const code = changes.filter(({ path, status }) => status !== "deleted" && !back.has(path) && isSource(path));
  if (code.length > MOST_SOURCES) return code.map(({ path }) => path);
  const texts = await Promise.all(code.map(({ path }) => workspace.file(path, request.new)));
  return code.map(({ path }) => path).filter((_path, at) => looksAround(texts[at]?.text ?? ""));
}

async function besideAdded(workspace: Workspace, asked: AroundOrder, looks: boolean): Promise<readonly Around[]> {
  const { request, changes, order, oldOnNew } = asked;
  const put = new Set(order.paths);
  const added = changes.filter(({ path, status }) => status === "added" && put.has(path)).map(({ path }) => path);
  if (added.length === 0) return [];
  const kept = new Set(added);
  const others = order.paths.filter((path) => !kept.has(path));
  const tree = await workspace.compose(request.new, { ...order, paths: others });
  const hollow = new Set(added.filter((path) => canBeEmpty(path, others)));
  const emptied = await workspace.compose(request.new, {
    from: order.from,
    paths: order.paths.filter((path) => !hollow.has(path)),
    texts: [...order.texts, ...[...hollow].map((path) => ({ path, text: "" }))],
  });
  return [
    { tree, paths: added, how: "beside", ...(emptied === oldOnNew ? {} : { emptied }), ...(looks ? { looks } : {}) },
  ];
}

/** Without its text it is found by whoever looks for it, and changes nothing about how other tests are run. */
function canBeEmpty(path: string, others: readonly string[]): boolean {
  if (!/\.(?:[cm]?[jt]sx?|py)$/.test(path) || isTestSettings(path) || isShadow(path)) return false;
  const name = nameOf(path);
  // Of two modules of one name pytest loads only the first.
  return name !== "__init__.py" && !(path.endsWith(".py") && others.some((each) => nameOf(each) === name));
}

/**
 * What a change adds and no code brings in: at the top or in another folder than that of the code that looks, or where a
 * tool loads it unasked.
 */
async function withoutStrangers(workspace: Workspace, asked: AroundOrder, looking: readonly string[]) {
  const { request, changes, order, oldOnNew } = asked;
  const back = new Set(order.paths);
  const added = changes.filter(({ path, status }) => status === "added" && !back.has(path)).map(({ path }) => path);
  const packages = new Set(added.filter((path) => pathKind(path) === "mixed").map(topOf));
  const isFree = (path: string) => halfOf(request, path) === undefined;
  const outside = added.filter((path) => isFree(path) && needsImport(path) && !packages.has(topOf(path)));
  const placed = await unimported(workspace, request.new, outside.filter(isLoadedByPlace));
  const shadows = await shadowsAmong(workspace, request.old, added.filter(isFree));
  const beside = await besideLookers(workspace, { tree: request.new, paths: outside, looking });
  const paths = [...new Set([...beside, ...placed, ...shadows])].sort();
  if (paths.length === 0) return [];
  const tree = await workspace.compose(oldOnNew, { from: request.old, paths, texts: [] });
  return [{ tree, paths, how: "without" } as const];
}

/** Those that code which looks around may find outside of its own folder. */
async function besideLookers(workspace: Workspace, { tree, paths, looking }: Spoken): Promise<readonly string[]> {
  if (looking.length === 0) return [];
  const homes = new Set(looking.map(topOf));
  const apart = paths.filter((path) => !homes.has(topOf(path)));
  const open = await spokenOf(workspace, { tree, paths: apart, looking });
  const brought = await broughtIn(workspace, tree, open);
  return open.filter((path) => !brought.has(topOf(path)));
}

/** Those that no code imports: a tool finds them by where they lie. All of them where too much is found. */
async function unimported(workspace: Workspace, tree: string, paths: readonly string[]): Promise<readonly string[]> {
  const words = [...new Set(paths.flatMap((path) => [wordFor(path), ...importHeads(path)]))];
  const lines = words.length > 0 ? await workspace.mentions(tree, words) : [];
  const uses = (lines && usesIn(lines, paths)) ?? [];
  const known = new Set(paths);
  const isUse = ({ from, by, text }: Use) => by !== "exam" && isSource(from) && !known.has(from) && bringsIn(text);
  const imported = new Set(uses.filter(isUse).map(({ to }) => to));
  return paths.filter((path) => !imported.has(path));
}

type Spoken = { readonly tree: string; readonly paths: readonly string[]; readonly looking: readonly string[] };

/** Settings of many tools lie at the top: of what is no prose only what is spoken of where somebody looks. */
async function spokenOf(workspace: Workspace, { tree, paths, looking }: Spoken): Promise<readonly string[]> {
  const texts = await Promise.all(looking.slice(0, MOST_SOURCES).map((path) => workspace.file(path, tree)));
  const isSpoken = (path: string) => texts.some((each) => each?.text.includes(nameOf(path)));
  return paths.filter((path) => path.includes("/") || isProse(path) || isSpoken(path));
}

/** The places that code elsewhere brings something in from; all of them where too much is found. */
async function broughtIn(workspace: Workspace, tree: string, paths: readonly string[]): Promise<ReadonlySet<string>> {
  const words = [...new Set(paths.flatMap((path) => [wordFor(path), ...importHeads(path)]))];
  const lines = words.length > 0 ? await workspace.mentions(tree, words) : [];
  const uses = lines && usesIn(lines, paths);
  if (!uses) return new Set(paths.map(topOf));
  const isUse = ({ from, to, by, text }: Use) => by !== "exam" && topOf(from) !== topOf(to) && bringsIn(text);
  return new Set(uses.filter(isUse).map(({ to }) => topOf(to)));
}

async function withLone(workspace: Workspace, { request, oldOnNew, lone }: AroundOrder): Promise<readonly Around[]> {
  const each = lone.length > MOST_LONE ? [] : lone.map((path) => [path]);
  const all = lone.length > 1 ? [...each, lone] : each;
  return Promise.all(
    all.map(async (paths) => {
      const tree = await workspace.compose(oldOnNew, { from: request.old, paths, texts: [] });
      return { tree, paths, how: "was" } as const;
    }),
  );
}

/** The folder at the top that it lies in; at the top itself nothing. */
function topOf(path: string): string {
  return path.includes("/") ? (path.split("/")[0] ?? "") : "";
}

function nameOf(path: string): string {
  return path.split("/").at(-1) ?? "";
}
