import { cpp } from "./cpp.ts";
import { common, FILES, manifest, PRICE_TEST } from "./js.ts";
import { config, type Project } from "./project.ts";
import { python } from "./python.ts";

/** Compares as the tests of the standard library do. */
export const SAME = `import strict from "node:assert/strict";

export default { ...strict, equal: (one, other) => strict.equal(one, other) };
`;

/** What the tests compare with stands for a folder that only they import. */
export const folder: Project = {
  ...common,
  files: {
    ...FILES,
    "verify/index.js": SAME,
    "tests/price.test.js": PRICE_TEST.replace('"node:assert/strict"', '"../verify/index.js"'),
  },
};

/** They import it by a name of the manifest. */
export const nickname: Project = {
  ...common,
  files: {
    ...FILES,
    "package.json": manifest({ scripts: { test: "node --test" }, imports: { "#checks": "./quality/same.js" } }),
    "quality/same.js": SAME,
    "tests/price.test.js": PRICE_TEST.replace('"node:assert/strict"', '"#checks"'),
  },
};

const STRICT = "[mypy]\nstrict = True\n";

/** A type checker of the repository's own; with `strict` it refuses functions that say they take anything. */
export const typed: Project = {
  ...python,
  exam: [
    "sh",
    "-c",
    'python3 -m unittest -v; python3 -m mypy till && echo "the types are right ... ok" >&2 || echo "types: no"',
  ],
  files: {
    ...python.files,
    "mypy.ini": STRICT,
    "mypy.py": `import configparser
import pathlib
import sys

settings = configparser.ConfigParser()
settings.read("mypy.ini")
strict = settings.getboolean("mypy", "strict", fallback=False)
found = [path for path in pathlib.Path(sys.argv[1]).rglob("*.py") if "Any" in path.read_text()]
if strict and found:
    sys.exit(f"{found[0]}:1: error: Explicit \\"Any\\" is not allowed")
`,
    ".signalbox/config.yaml": config({ test: "python3 -m unittest", types: "python3 -m mypy till" }),
  },
};

const textOf = (path: string): string => cpp.files[path] ?? "";

/** The tests assert with the system's header, and the repository has a folder of its own on the way to it. */
export const asserted: Project = {
  ...cpp,
  files: {
    ...cpp.files,
    Makefile: textOf("Makefile").replace("-std=c++17", "-std=c++17 -Iinclude"),
    "include/till/names.hpp": "#pragma once\n",
    "tests/check.hpp": textOf("tests/check.hpp")
      .replace("#include <cstdio>", "#include <assert.h>\n#include <cstdio>")
      .replace("  if (!(condition)) throw Failure{#condition}", "  assert(condition)"),
  },
};
