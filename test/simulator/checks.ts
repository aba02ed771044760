import type { Finding } from "../../src/core/authoring/finding.ts";
import type { Change } from "../../src/core/authoring/observations.ts";
import { checkScope } from "../../src/core/checks/guard/scope.ts";
import { type ChangedText, checkSyntax } from "../../src/core/checks/guard/syntax-check.ts";
import { checkTampering } from "../../src/core/checks/tamper/tamper.ts";
import type { CheckedCommand, Effect } from "../../src/core/journal/effect.ts";
import type { FileSeen, Scene } from "./scene.ts";

/** Runs the commands on a tree: as the scenario defines them, or red, flaky or stopped; and the engine's own checks. */
export function checked(scene: Scene, effect: Effect<"check">): readonly CheckedCommand[] {
  const { tree, commands } = effect.request;
  const request = { ...effect.request, tree: scene.trees.paper(tree) };
  const meant = scene.paper({ ...effect, request }) as readonly CheckedCommand[];
  const results = commands.map((command, index) => {
    const key = `check ${tree} ${command.run}`;
    const count = (scene.runs.get(key) ?? 0) + 1;
    scene.runs.set(key, count);
    const luck = scene.chance.of(key);
    const result = meant[index] as CheckedCommand;
    if (!luck.odds(scene.trouble / 3)) return result;
    return spoilResult(result, luck.weighed({ red: 5, flaky: 3, crashed: 2 }), count);
  });
  return [...results, ...inspectTrees(scene, effect)];
}

function spoilResult(result: CheckedCommand, how: "red" | "flaky" | "crashed", count: number): CheckedCommand {
  if (how === "crashed") return { ...result, exitCode: null, snippet: "it was stopped" };
  return how === "red" || count % 2 === 1 ? { ...result, exitCode: 1, snippet: "red today" } : result;
}

/** Runs the engine's own checks on paper, by the same rules as on a disk. */
function inspectTrees(scene: Scene, effect: Effect<"check">): CheckedCommand[] {
  const { tree, inspect } = effect.request;
  if (!inspect) return [];
  const [from, to] = [inspect.baseline, tree].map((each) => ({ tree: scene.trees.paper(each) }));
  const ask = (what: string, args: object) =>
    scene.paper({ ...effect, kind: "see", request: { what, args } } as unknown as Effect<"see">);
  const textOf = (path: string, at: unknown) => (ask("file", { path, in: at }) as FileSeen)?.text;
  const changes = (ask("changes", { from, to }) as readonly Change[]).map((change): Change & ChangedText => {
    const [before, after] = [textOf(change.path, from), textOf(change.path, to)];
    return { ...change, ...(before === undefined ? {} : { before }), ...(after === undefined ? {} : { after }) };
  });
  const { declared, protectedPaths } = inspect;
  const changed = changes.map(({ path }) => path);
  return [
    ...(declared ? [createResult("scope", checkScope({ changed, declared }))] : []),
    createResult("tamper", checkTampering({ changes, protectedPaths })),
    createResult("parses", checkSyntax(changes)),
  ];
}

function createResult(name: string, findings: readonly Finding[]): CheckedCommand {
  const snippet = findings.map((finding) => finding.message).join("; ");
  const exitCode = findings.length === 0 ? 0 : 1;
  return { name, command: `signalbox ${name}`, exitCode, ms: 0, digest: "", snippet: snippet.slice(0, 500), findings };
}
