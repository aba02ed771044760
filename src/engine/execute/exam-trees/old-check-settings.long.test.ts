import { expect, test } from "vitest";
import { run, scene } from "../../../workspace/scene.suite.ts";
import { composeExam, listComposedTrees } from "./compose-exam.ts";

type Files = Readonly<Record<string, string>>;
const NOTHING = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";
const MANIFEST = JSON.stringify({ scripts: { types: "tsc --noEmit", lint: "eslint . -c tools/rules.json" } });
const BASE: Files = {
  "src/a.ts": "export const a: number = 1;\n",
  "package.json": MANIFEST,
  "tsconfig.json": '{"compilerOptions":{"strict":true}}\n',
  "tools/rules.json": '{"rules":{"eqeqeq":2}}\n',
};

async function oldSettings(
  edits: Files,
  { files = {}, lines = ["npm run types", "npm run lint", "node --test"] } = {},
) {
  const at = await scene({ ...BASE, ...files });
  const texts = Object.entries(edits).map(([path, text]) => ({ path, text }));
  const now = await at.workspace.compose(at.tree, { from: NOTHING, paths: [], texts });
  const trees = await composeExam(at.workspace, { old: at.tree, new: now, lines, collected: [] });
  const listed = (path: string) => run(at.repo, ["ls-tree", "--name-only", trees.oldSettings?.tree ?? "", path]).trim();
  const shown = (path: string) =>
    listed(path) === "" ? undefined : run(at.repo, ["show", `${trees.oldSettings?.tree}:${path}`]);
  return { trees, shown };
}

test("[A-39] checks of text have a tree with their old settings and the new code", async () => {
  const { trees, shown } = await oldSettings({
    "src/a.ts": "export const a: number = null;\n",
    "tsconfig.json": '{"compilerOptions":{"strict":false}}\n',
  });
  expect(trees.oldSettings).toMatchObject({ paths: ["tsconfig.json"], lines: ["npm run types", "npm run lint"] });
  expect(shown("src/a.ts")).toContain("null");
  expect(shown("tsconfig.json")).toContain('"strict":true');
  expect(listComposedTrees(trees)).toContain(trees.oldSettings?.tree);
});

test.each<[what: string, edits: Files, files: Files]>([
  ["a script", { "package.json": MANIFEST.replace("--noEmit", "--noEmit --strict false") }, {}],
  ["a file that a script names as an option", { "tools/rules.json": "{}\n" }, {}],
  [
    "a file that settings extend",
    { "config/strict.json": "{}\n" },
    { "config/strict.json": '{"a":1}\n', ".eslintrc.json": '{"extends":"./config/strict.json"}\n' },
  ],
  [
    "a rule that settings import",
    { "rules/own.js": "2\n" },
    { "rules/own.js": "1\n", "eslint.config.js": 'import own from "./rules/own.js";\n' },
  ],
  ["settings that are new beside code that was there", { "src/.eslintrc.json": '{"root":true}\n' }, {}],
])("[A-39] %s belongs to the settings of a check", async (_what, edits, files) => {
  const { trees } = await oldSettings({ "src/a.ts": "2\n", ...edits }, { files });
  expect(trees.oldSettings?.paths).toEqual(Object.keys(edits));
});

test.each<[what: string, edits: Files]>([
  ["code", { "src/a.ts": "2\n" }],
  ["settings of a new folder", { "web/.eslintrc.json": "{}\n", "web/tsconfig.json": "{}\n", "web/a.ts": "1\n" }],
  ["a dependency", { "package.json": JSON.stringify({ ...JSON.parse(MANIFEST), dependencies: { left: "1" } }) }],
])("where only %s changed, no check of text runs again", async (_what, edits) => {
  expect((await oldSettings(edits)).trees.oldSettings).toBeUndefined();
});

test("where no command reads text, its settings make no tree", async () => {
  const { trees } = await oldSettings({ "tsconfig.json": "{}\n" }, { lines: ["node --test"] });
  expect(trees.oldSettings).toBeUndefined();
});

test("[A-39] where packages changed too, there is a tree with the old ones", async () => {
  const { trees } = await oldSettings(
    {
      "eslint.config.js": "2\n",
      "package.json": JSON.stringify({ ...JSON.parse(MANIFEST), devDependencies: { eslint: "9" } }),
    },
    { files: { "eslint.config.js": "1\n" } },
  );
  expect(trees.oldSettings?.oldPackages).toEqual(expect.any(String));
});

test.each<[path: string, before: string, after: string]>([
  [".c8rc.json", '{"check-coverage":true,"lines":90}', '{"check-coverage":true,"lines":10}'],
  [".nycrc", '{"lines":90}', '{"lines":10}'],
  [".coveragerc", "[report]\nfail_under = 90", "[report]\nfail_under = 10"],
  ["pyproject.toml", "[tool.coverage.report]\nfail_under = 90", "[tool.coverage.report]\nfail_under = 10"],
  [
    "vitest.config.ts",
    "export default { thresholds: { lines: 90 } };",
    "export default { thresholds: { lines: 10 } };",
  ],
  ["jest.config.js", "export default { lines: 90 };", "export default { lines: 10 };"],
])("[A-39] the old tests run with the thresholds of coverage that %s had", async (path, before, after) => {
  const at = await scene({ ...BASE, [path]: `${before}\n` });
  const texts = [
    { path, text: `${after}\n` },
    { path: "src/a.ts", text: "2\n" },
  ];
  const now = await at.workspace.compose(at.tree, { from: NOTHING, paths: [], texts });
  const { oldOnNew = "" } = await composeExam(at.workspace, { old: at.tree, new: now, lines: ["npm test"] });
  expect(run(at.repo, ["show", `${oldOnNew}:${path}`]).trim()).toBe(before);
});
