import { expect, test } from "vitest";
import { listOwnWords, readOwnPackages } from "./own-packages.ts";
import { findTestOnlySources } from "./test-only-sources.ts";
import { findUses } from "./use.ts";

const json = JSON.stringify;
const ROOT = { path: "package.json", text: json({ name: "shop", devDependencies: { "@shop/checks": "workspace:*" } }) };
const CHECKS = { path: "packages/checks/package.json", text: json({ name: "@shop/checks", main: "./lib/same.js" }) };

type File = { readonly path: string; readonly text: string };

/** Returns the file that the line refers to according to the manifests. */
function meant(manifests: readonly File[], line: File, files: readonly string[]) {
  return (findUses([line], files, readOwnPackages(manifests)) ?? []).map(({ to }) => to);
}

test.each<[what: string, manifests: readonly File[], line: File, path: string]>([
  [
    "the entry of a package",
    [ROOT, CHECKS],
    { path: "test/a.test.js", text: 'import { same } from "@shop/checks";' },
    "packages/checks/lib/same.js",
  ],
  [
    "a file of a package",
    [ROOT, CHECKS],
    { path: "test/a.test.js", text: 'import { near } from "@shop/checks/near";' },
    "packages/checks/src/near.ts",
  ],
  [
    "an entry that is built from the sources",
    [ROOT, { ...CHECKS, text: json({ name: "@shop/checks", exports: "./dist/index.js" }) }],
    { path: "test/a.test.js", text: 'import { same } from "@shop/checks";' },
    "packages/checks/src/index.ts",
  ],
  [
    "a name of the manifest",
    [{ path: "package.json", text: json({ imports: { "#checks": "./quality/same.js" } }) }],
    { path: "test/a.test.js", text: 'import { same } from "#checks";' },
    "quality/same.js",
  ],
  [
    "a name of the project of TypeScript",
    [{ path: "tsconfig.json", text: json({ compilerOptions: { paths: { "@checks": ["./quality/same.ts"] } } }) }],
    { path: "test/a.test.ts", text: 'import { same } from "@checks";' },
    "quality/same.ts",
  ],
  [
    "a module of Go that is taken from a folder",
    [{ path: "go.mod", text: "module example.org/shop\n\nreplace example.org/check => ./internal/verify\n" }],
    { path: "fee_test.go", text: '\t"example.org/check"' },
    "internal/verify/verify.go",
  ],
  [
    "a module of Go that a block takes from a folder",
    [{ path: "go.mod", text: "module example.org/shop\n\nreplace (\n\texample.org/check v1.0.0 => ./quality\n)\n" }],
    { path: "fee_test.go", text: '\t"example.org/check/sub"' },
    "quality/sub/verify.go",
  ],
  [
    "a package of Python in a project of its own",
    [{ path: "tools/checks/pyproject.toml", text: '[project]\nname = "checks"\n' }],
    { path: "tests/test_a.py", text: "from checks import same" },
    "tools/checks/src/checks/__init__.py",
  ],
])("[A-38] %s is found by its name", (_what, manifests, line, path) => {
  expect(meant(manifests, line, [path])).toEqual([path]);
  expect(meant(manifests, line, ["src/other.js", "other/other.go", "other/__init__.py"])).toEqual([]);
});

test("a file is looked for by the words that can mean it alone", () => {
  const own = readOwnPackages([ROOT, CHECKS]);
  expect(listOwnWords("packages/checks/lib/same.js", own)).toContain("@shop/checks");
  expect(listOwnWords("packages/checks/src/near.ts", own)).not.toContain("@shop/checks");
  expect(listOwnWords("src/fee.js", own)).toEqual(["shop/src/fee", "shop/fee"]);
});

const FEE = [
  { path: "src/till.js", text: 'import { fee } from "./fee.js";' },
  { path: "test/all.test.js", text: 'import { fee } from "../src/fee.js";' },
];

function lone(path: string, manifests: readonly File[], lines: readonly File[]) {
  const own = readOwnPackages(manifests);
  return findTestOnlySources(["src/fee.js", path], findUses([...FEE, ...lines], ["src/fee.js", path], own) ?? [], own);
}
const NAMED = { path: "packages/checks/package.json", text: '  "main": "./lib/same.js"' };
const BY_NAME = { path: "test/all.test.js", text: 'import { same } from "@shop/checks";' };
const SAME = "packages/checks/lib/same.js";

test("[A-38] the entry of a package that only tests import may hold what they expect", () => {
  expect(lone(SAME, [ROOT, CHECKS], [BY_NAME, NAMED])).toEqual([SAME]);
});

test.each<[why: string, manifests: readonly File[], lines: readonly File[]]>([
  ["code imports it", [ROOT, CHECKS], [BY_NAME, { path: "src/till.js", text: 'import { same } from "@shop/checks";' }]],
  [
    "a product depends on it",
    [{ path: "package.json", text: json({ dependencies: { "@shop/checks": "workspace:*" } }) }, CHECKS],
    [BY_NAME, NAMED],
  ],
  [
    "its own tests import it",
    [ROOT, CHECKS],
    [BY_NAME, { path: "packages/checks/test/all.test.js", text: 'import { same } from "../lib/same.js";' }],
  ],
])("the entry of a package is the product's where %s", (_why, manifests, lines) => {
  expect(lone(SAME, manifests, lines)).toEqual([]);
});

const testOf = (path: string) => [
  { path: "test/all.test.js", text: `import "../${path}";` },
  { path: "test/test_all.py", text: `from ${path.split("/").at(-2) ?? ""} import same` },
];

test.each(["verify/index.js", "verify/__init__.py", "quality/lib.js", "tools/verify/main.js"])(
  "[A-38] %s, which only tests import, may hold what they expect",
  (path) => {
    const meet = { path: "test/test_all.py", text: "from src.fee import fee" };
    const own = readOwnPackages([ROOT]);
    const files = ["src/fee.js", "src/fee.py", path];
    expect(findTestOnlySources(files, findUses([...FEE, meet, ...testOf(path)], files, own) ?? [], own)).toContain(
      path,
    );
  },
);

test.each(["index.js", "src/index.js", "lib/index.js", "app/main.py", "till/__init__.py", "packages/a/src/index.js"])(
  "%s is where users begin",
  (path) => {
    const manifests = [
      { path: "package.json", text: json({ name: "shop", dependencies: { a: "workspace:*" } }) },
      { path: "packages/a/package.json", text: json({ name: "a" }) },
      { path: "pyproject.toml", text: '[project]\nname = "till"\n' },
    ];
    expect(lone(path, manifests, testOf(path))).toEqual([]);
  },
);

test("[A-38] a file that a manifest only gives a name to may hold what tests expect", () => {
  const manifest = { path: "package.json", text: json({ name: "shop", imports: { "#checks": "./quality/same.js" } }) };
  const lines = [
    { path: "package.json", text: '"imports": { "#checks": "./quality/same.js" }' },
    { path: "test/all.test.js", text: 'import { same } from "#checks";' },
  ];
  expect(lone("quality/same.js", [manifest], lines)).toEqual(["quality/same.js"]);
  const code = { path: "src/till.js", text: 'import { same } from "#checks";' };
  expect(lone("quality/same.js", [manifest], [...lines, code])).toEqual([]);
  const exported = { path: "package.json", text: json({ ...JSON.parse(manifest.text), exports: "./quality/same.js" }) };
  expect(lone("quality/same.js", [exported], lines)).toEqual([]);
});
