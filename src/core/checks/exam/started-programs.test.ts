import { expect, test } from "vitest";
import { listProgramPaths, listScriptNames } from "./started-programs.ts";

test.each([
  ["sh prepare.sh", "prepare.sh"],
  ["node all.js", "all.js"],
  ["NODE_OPTIONS='--import ./tools/load.mjs' node --test", "tools/load.mjs"],
  ["node --import=./tools/load.mjs --test", "tools/load.mjs"],
  ["./tools/x.sh --fast", "tools/x.sh"],
  ["tools/run && true", "tools/run"],
  ["python3 -u run.py", "run.py"],
  ["python -m tools.run", "tools/run.py"],
  ["python -m checks", "checks/__main__.py"],
  ["\t@sh tools/timed.sh ./build/tests", "tools/timed.sh"],
  ["c8 node ./all", "all.js"],
  ["sh -c 'node all.js'", "all.js"],
  ["pytest -q unit/price.py", "unit/price.py"],
  ["node --test unit/a.js unit/b.js", "unit/b.js"],
])("[A-26] the line %j starts %s", (line, path) => {
  expect(listProgramPaths(line)).toContain(path);
});

test.each([
  "node --check src/price.js",
  "g++ -o x src/main.cpp",
  "python -c 'x'",
  "node ../other.js",
  "eslint src/a.js",
])("the line %j starts no file of the project", (line) => {
  expect(listProgramPaths(line).filter((path) => /\.(?:js|cpp)$/.test(path) && path !== "x.js")).toEqual([]);
});

test.each([
  ["npm test", "test"],
  ["npm run check", "check"],
  ["npm run-script --silent unit -- -x", "unit"],
  ["npm --prefix web run e2e", "e2e"],
  ["yarn build && true", "build"],
  ["pnpm -r run lint", "lint"],
  ["bun run x", "x"],
  ["node --run unit", "unit"],
  ["run-s lint 'unit:*'", "unit:*"],
])("[A-26] the line %j calls the script %s", (line, script) => {
  expect(listScriptNames(line)).toContain(script);
});
