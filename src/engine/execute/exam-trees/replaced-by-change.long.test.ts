import { expect, test } from "vitest";
import { scene } from "../../../workspace/scene.suite.ts";
import { composeExam } from "./compose-exam.ts";

type Files = Readonly<Record<string, string>>;
const NOTHING = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";
const lock = (packages: object) => JSON.stringify({ lockfileVersion: 3, packages });
const LOCKED = {
  "node_modules/mocha": { version: "11.0.0", resolved: "https://registry.npmjs.org/mocha/-/mocha-11.0.0.tgz" },
  "node_modules/ms": {
    version: "2.1.3",
    resolved: "https://registry.npmjs.org/ms/-/ms-2.1.3.tgz",
    integrity: "sha512-a",
  },
};
const BASE: Files = {
  "package.json": JSON.stringify({ name: "p", devDependencies: { mocha: "^11" } }),
  "package-lock.json": lock(LOCKED),
  "packages/core/package.json": JSON.stringify({ name: "@p/core" }),
  "setup.py": "setup(name='p')\n",
};

async function examine(edits: Files) {
  const at = await scene({ ...BASE, "src/a.js": "1\n" });
  const texts = Object.entries({ "src/a.js": "2\n", ...edits }).map(([path, text]) => ({ path, text }));
  const now = await at.workspace.compose(at.tree, { from: NOTHING, paths: [], texts });
  return composeExam(at.workspace, { old: at.tree, new: now, lines: ["npm ci", "npm test"], collected: [] });
}

const manifest = (more: object) => JSON.stringify({ ...JSON.parse(BASE["package.json"] ?? ""), ...more });

test.each<[what: string, edits: Files, path: string, packages: readonly string[]]>([
  [
    "a workspace with the name of an installed package",
    { "tools/ms/package.json": '{"name":"ms"}\n' },
    "tools/ms/package.json",
    ["ms"],
  ],
  [
    "an override of what another package brought",
    { "package.json": manifest({ overrides: { ms: "file:tools/ms" } }) },
    "package.json",
    ["ms"],
  ],
  [
    "a lock with other content",
    {
      "package-lock.json": lock({
        ...LOCKED,
        "node_modules/ms": { ...LOCKED["node_modules/ms"], integrity: "sha512-b" },
      }),
    },
    "package-lock.json",
    ["ms"],
  ],
  [
    "an entry point of pytest in setup.py",
    { "setup.py": 'setup(name="p", entry_points={"pytest11": ["x = tools.x"]})\n' },
    "setup.py",
    ["pytest11"],
  ],
  [
    "an entry point of pytest in setup.cfg",
    { "setup.cfg": "[options.entry_points]\npytest11 =\n    x = tools.x\n" },
    "setup.cfg",
    ["pytest11"],
  ],
])("[A-38] %s is found", async (_what, edits, path, packages) => {
  expect((await examine(edits)).replaced).toEqual([{ path, packages }]);
});

test.each<[what: string, edits: Files]>([
  [
    "a dependency with its entry in the lock",
    {
      "package.json": manifest({ dependencies: { left: "^1" } }),
      "package-lock.json": lock({ ...LOCKED, "node_modules/left": { version: "1.0.0", integrity: "sha512-l" } }),
    },
  ],
  [
    "a workspace that the product uses",
    {
      "package.json": manifest({
        workspaces: ["packages/*"],
        dependencies: { "@p/core": "workspace:*", "@p/new": "workspace:*" },
      }),
      "packages/new/package.json": '{"name":"@p/new"}\n',
    },
  ],
  ["another entry point", { "setup.py": 'setup(name="p", entry_points={"console_scripts": ["p = p:main"]})\n' }],
])("%s replaces no package", async (_what, edits) => {
  const trees = await examine(edits);
  expect(trees.replaced).toBeUndefined();
  expect(trees.inseparable).toEqual([]);
});

test.each("preinstall install postinstall prepublish preprepare prepare postprepare dependencies".split(" "))(
  "[A-38] npm runs a script %s as it installs",
  async (name) => {
    const { inseparable } = await examine({
      "package.json": manifest({ scripts: { [name]: "node tools/patch.cjs" } }),
    });
    expect(inseparable).toEqual(["package.json"]);
  },
);

test("[A-38] a program that such a script starts is the exam", async () => {
  const at = await scene({
    ...BASE,
    "package.json": manifest({ scripts: { prepare: "node tools/patch.cjs" } }),
    "tools/patch.cjs": "1\n",
  });
  const now = await at.workspace.compose(at.tree, {
    from: NOTHING,
    paths: [],
    texts: [{ path: "tools/patch.cjs", text: "2\n" }],
  });
  const trees = await composeExam(at.workspace, {
    old: at.tree,
    new: now,
    lines: ["npm ci", "npm test"],
    collected: [],
  });
  expect(trees.exam).toEqual(["tools/patch.cjs"]);
});
