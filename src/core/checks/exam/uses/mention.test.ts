import { expect, test } from "vitest";
import { isMentioned } from "./mention.ts";

test.each([
  ["src/main.ts", 'import { a } from "./testing/render.js";', "src/testing/render.ts"],
  ["src/main.ts", 'export * from "./testing";', "src/testing/index.ts"],
  ["test/a.test.ts", "const x = require('../src/testing/render')", "src/testing/render.js"],
  ["src/deep/main.ts", 'import x from "@/testing/render";', "src/testing/render.ts"],
  ["vitest.config.ts", "setupFiles: ['tools/prepare.ts'],", "tools/prepare.ts"],
  ["package.json", '"setupFiles": ["<rootDir>/tools/prepare.js"],', "tools/prepare.js"],
  ["package.json", '"test": "node --import ./tools/prepare.js --test",', "tools/prepare.js"],
  ["src/main.ts", 'readFile("spec/openapi.yaml")', "spec/openapi.yaml"],
  ["tests/test_a.py", "from app.testing.render import x", "src/app/testing/render.py"],
  ["tests/test_a.py", "from app.testing import render, other", "app/testing/render.py"],
  ["tests/test_a.py", "import helper", "tests/helper.py"],
  ["src/app/main.py", "from .testing import x", "src/app/testing/__init__.py"],
  ["src/app/deep/main.py", "from ..testing import render", "src/app/testing/render.py"],
  ["conftest.py", 'pytest_plugins = ["qa.fixtures"]', "qa/fixtures.py"],
  ["pytest.ini", "addopts = -p qa.fixtures", "qa/fixtures.py"],
  ["src/a.js", '} from "../test/oracle.js";', "test/oracle.js"],
  ["pkg/a_test.go", '\t"example.org/mod/internal/testing"', "internal/testing/fake.go"],
  ["src/lib.rs", "pub mod testing;", "src/testing.rs"],
  ["src/lib.rs", "mod testing;", "src/testing/mod.rs"],
  ["src/a.rs", "mod testing;", "src/a/testing.rs"],
  ["src/app/A.java", "  private final FakeClock clock = new FakeClock();", "src/app/FakeClock.java"],
  ["Makefile", "TESTS = unit/main.cpp unit/price.cpp", "unit/price.cpp"],
  ["Makefile", "\tsh tools/timed.sh ./build/tests", "tools/timed.sh"],
  ["web/build.mk", "all:a.js; node all.js", "web/all.js"],
])("%s names with %j the file %s", (path, text, file) => {
  expect(isMentioned({ path, text }, file)).toBe(true);
});

test.each([
  ["src/main.ts", "render(testing);", "src/testing/render.ts"],
  ["src/main.ts", 'import { a } from "./other/render.js";', "src/testing/render.ts"],
  ["src/main.ts", 'import render from "render";', "src/testing/render.ts"],
  ["src/testing/render.ts", 'import "./render.js"', "src/testing/render.ts"],
  ["src/app/main.py", "import helper", "tests/helper.py"],
  ["crates/core/main.rs", "mod index;", "tests/index/mod.rs"],
  ["crates/core/main.rs", "mod index { }", "crates/core/index/mod.rs"],
])("%s does not name with %j the file %s", (path, text, file) => {
  expect(isMentioned({ path, text }, file)).toBe(false);
});
