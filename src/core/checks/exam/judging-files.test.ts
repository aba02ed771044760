import { expect, test } from "vitest";
import { classifyMention, mayJudge } from "./judging-files.ts";
import { collectPathWords, type LeadingText } from "./leading-words.ts";

function spoken(text: string, path: string, kind: LeadingText["kind"] = "line") {
  return classifyMention(path, collectPathWords([{ text, folders: [""], kind }]));
}

test.each([
  ["python3 -W error ci/verify.py", "ci/verify.py"],
  ["CI=1 ./ci/verify.py", "ci/verify.py"],
  ["timeout 60 ./ci/verify.py", "ci/verify.py"],
  ["node --import ./ci/register.mjs ci/verify.js", "ci/verify.js"],
  ["node --enable-source-maps ci/verify", "ci/verify.js"],
  ["go run ./ci/verify", "ci/verify/main.go"],
  ["python3 -W error -m ci.verify", "ci/verify.py"],
  ["cd ci && python3 -W error -m verify", "ci/verify.py"],
  ['python3 "$HERE/verify.py"', "ci/verify.py"],
  ['python3 "$(dirname "$0")/verify.py"', "ci/verify.py"],
  ["if true; then node \\\n  ci/verify.js; fi", "ci/verify.js"],
])("[A-26] by the line %j the file %s may be run", (line, path) => {
  expect(spoken(line, path)).toBe("run");
});

test.each([
  ["for f in checks/*.js; do node $f || exit 1; done", "checks/price.js"],
  ["ls ci/*.py | xargs -n1 python3", "ci/verify.py"],
  ["cat ci/verify.py | python3", "ci/verify.py"],
  ["JUDGE=ci/verify.py; python3 $JUDGE", "ci/verify.py"],
  ["esbuild ci/verify.js --bundle --outfile=t.js && node t.js", "ci/verify.js"],
  ["gcc -o check ci/check.c price.c && ./check", "ci/check.c"],
])("[A-26] by the line %j the file %s is named", (line, path) => {
  expect(spoken(line, path)).toBe("named");
});

test.each([
  ["go test ./price", "price/price.go"],
  ["go vet ./...", "price/price.go"],
  ["pytest --cov=shop tests", "shop/core.py"],
  ["pytest --cov=shop", "shop.py"],
  ["eslint src", "src/index.js"],
  ["cp -r src dist", "src/index.js"],
  ["node build.js index.js", "web/index.js"],
  ["node --test '**/*.js'", "price.js"],
  ["# see ci/verify.py", "ci/verify.py"],
])("the line %j says nothing of %s", (line, path) => {
  expect(spoken(line, path)).toBeUndefined();
});

test("[A-26] a file that a recipe runs may judge; a file that it lists is only named", () => {
  const makefile = "FILES = shop.py cart.py\ntest: shop.py\n\t@$(PYTHON) verify.py\n";
  expect(spoken(makefile, "verify.py", "recipe")).toBe("run");
  expect(spoken(makefile, "cart.py", "recipe")).toBe("named");
});

test.each([
  ['{"file": ["./quality/hooks.js"]}', "quality/hooks.js"],
  ["[pytest]\naddopts = -p quality.values\n", "quality/values.py"],
  ["[pytest]\naddopts = -p values\n", "quality/values.py"],
  ['moduleNameMapper: { "^money$": "<rootDir>/quality/money.js" }', "quality/money.js"],
])("[A-26] by the settings %j of a test program it may load %s", (text, path) => {
  expect(spoken(text, path, "program")).toBe("run");
});

test("[A-26] a file that may be run judges unless it is an imported source; a named file judges only if nobody imports it", () => {
  const may = (path: string, spoken: "run" | "named") => [false, true].map((used) => mayJudge({ path, spoken, used }));
  expect(may("ci/verify.js", "run")).toEqual([true, true]);
  expect(may("src/verify.js", "run")).toEqual([true, false]);
  expect(may("ci/verify.js", "named")).toEqual([true, false]);
  expect(may("src/verify.js", "named")).toEqual([false, false]);
});
