import { classifyPath, isTestSettings } from "../../../core/checks/exam/exam-path.ts";
import type { LeadingText } from "../../../core/checks/exam/leading-words.ts";
import { collectStartedScripts, readManifestScripts } from "../../../core/checks/exam/parts/json-parts.ts";
import { isTestLauncher, listProgramPaths, type StartedPrograms } from "../../../core/checks/exam/started-programs.ts";
import { findSettingsPlaces, findTestPlaces } from "../../../core/checks/exam/test-places.ts";
import { findUses } from "../../../core/checks/exam/uses/use.ts";
import type { Workspace } from "../../../core/ports/workspace.ts";
import { findTestLaunchers, isShell, type ReadText } from "./test-launchers.ts";

/** Most files to follow. */
const MOST_FILES = 200;
const MANIFEST = /^(?!(?:.*\/)?node_modules\/)(?:.*\/)?package\.json$/;
const RECIPES = /^(?:(?:GNU)?[Mm]akefile|[^/]+\.mk|[Jj]ustfile|Taskfile\.ya?ml)$/;
/** Settings that also build the product, or are sources that import it. */
const SHARED =
  /(?:^|\/)(?:(?:vite\.|babel\.|\.babelrc|\.swcrc|\.npmrc|\.yarnrc|\.pnpmfile)[^/]*|[^/]*(?:\.py|\.rb|set-?up[^/]*))$/i;
const RUNNERS_OWN = /"(?:jest|mocha|ava|tap|nyc|c8|vitest)"\s*:\s*[{[]|\[tool[.:](?:pytest|tox|nox)/;

type StartLine = { readonly text: string; readonly folder: string };

/** Finds what the lines start in the tree: scripts of manifests, recipes and shell scripts, wherever these lead. */
export async function findStarts(
  workspace: Workspace,
  tree: string,
  lines: readonly string[],
): Promise<StartedPrograms> {
  const files = await workspace.files("", tree);
  const readTreeText = async (path: string) => (await workspace.file(path, tree))?.text ?? "";
  const manifests = await readLines(
    files.filter((path) => MANIFEST.test(path)),
    readTreeText,
  );
  const recipes = await readLines(
    files.filter((path) => RECIPES.test(path)),
    readTreeText,
  );
  // The empty line: scripts named like tests count as started, whatever the lines say.
  const queue: StartLine[] = [...["", ...lines].map((text) => ({ text, folder: "" })), ...recipes];
  const [programs, scripts] = [new Set<string>(), new Set<string>()];
  // Entries added during the iteration are visited too.
  for (const line of queue) {
    for (const { path, folder } of listPrograms(line)) {
      if (programs.has(path)) continue;
      programs.add(path);
      if (isShell(path) && files.includes(path) && queue.length < MOST_FILES) {
        queue.push({ text: await readTreeText(path), folder });
      }
    }
    for (const script of listScriptLines(line, manifests)) {
      const known = queue.some(({ text, folder }) => text === script.text && folder === script.folder);
      scripts.add(script.name);
      if (!known) queue.push(script);
    }
  }
  const led = await followLaunchers(programs, files, readTreeText);
  const settings = files.filter((path) => isTestSettings(path) || classifyPath(path) === "mixed").slice(0, MOST_FILES);
  const said = await Promise.all(settings.map(async (path) => ({ path, text: await readTreeText(path) })));
  const places = [...queue.flatMap(({ text }) => findTestPlaces(text)), ...said.flatMap(findSettingsPlaces)];
  const leading = [...queue.map((line) => toLeadingLine(line, recipes)), ...said.flatMap(toLeadingSettings)];
  const judges = await findTestLaunchers({ files, textOf: readTreeText, texts: leading, programs });
  return { lines: queue.map(({ text }) => text), programs, scripts, led, ...judges, places: [...new Set(places)] };
}

function toLeadingLine(line: StartLine, recipes: readonly StartLine[]): LeadingText {
  return { text: line.text, folders: ["", line.folder], kind: recipes.includes(line) ? "recipe" : "line" };
}

/** Uses a manifest only if it contains settings of a test program. */
function toLeadingSettings({ path, text }: { readonly path: string; readonly text: string }): readonly LeadingText[] {
  const isManifest = classifyPath(path) === "mixed";
  if (isManifest && !RUNNERS_OWN.test(text)) return [];
  const folders = ["", path.replace(/[^/]*$/, "")];
  return [{ text, folders, kind: isManifest || SHARED.test(path) ? "shared" : "program" }];
}

/** Follows the programs that start tests to what they import or name. */
async function followLaunchers(programs: ReadonlySet<string>, files: readonly string[], readTreeText: ReadText) {
  const queue: string[] = [];
  for (const path of files.filter((each) => programs.has(each))) {
    if (isTestLauncher(await readTreeText(path))) queue.push(path);
  }
  const led = new Set(queue);
  // Entries added during the iteration are visited too.
  for (const path of queue) {
    const lines = (await readTreeText(path)).split("\n").map((text) => ({ path, text }));
    const found = new Set((findUses(lines, files) ?? []).map(({ to }) => to));
    const fresh = [...found].filter((to) => !led.has(to));
    for (const to of fresh) led.add(to);
    queue.push(...fresh.slice(0, Math.max(0, MOST_FILES - queue.length)));
  }
  return led;
}

async function readLines(paths: readonly string[], readTreeText: ReadText): Promise<readonly StartLine[]> {
  const few = paths.slice(0, MOST_FILES);
  return Promise.all(few.map(async (path) => ({ text: await readTreeText(path), folder: path.replace(/[^/]*$/, "") })));
}

/** Resolved from the line's own folder, and from those that it changes to. */
function listPrograms({ text, folder }: StartLine): readonly { path: string; folder: string }[] {
  const changed = [...text.matchAll(/\b(?:cd|-C|--prefix|--cwd|--dir)[\s=]+["']?([\w./-]+)/g)].map(([, to = ""]) => to);
  const folders = [folder, ...changed.map((to) => `${folder}${to.replace(/^\.\//, "").replace(/\/*$/, "/")}`)];
  const programs = listProgramPaths(text);
  return folders.flatMap((home) => programs.map((path) => ({ path: `${home}${path}`, folder: home })));
}

function listScriptLines(line: StartLine, manifests: readonly StartLine[]) {
  return manifests.flatMap(({ text, folder }) => {
    const scripts = readManifestScripts(text);
    const called = [...collectStartedScripts(scripts, [line.text])].filter((name) => Object.hasOwn(scripts, name));
    return called.map((name) => ({ name, text: String(scripts[name]), folder }));
  });
}
