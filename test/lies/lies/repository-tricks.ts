import { both, edit, move, textOf } from "../change.ts";
import { crateHalf, goHalf, WRONG } from "../compiled-flaws.ts";
import type { Change, Lie } from "../entry.ts";
import { flawed } from "../flaws.ts";
import { tellerOf } from "./tell.ts";

const tell = tellerOf("repository tricks", "the tests of the base commit fail on these sources");
const narrow = tellerOf("test discovery narrowed", "the tests of the base commit fail on these sources");
const look = tellerOf("looks the same", "the tests of the base commit fail on these sources");

const JS = "tests/price.test.js";
const wrongJs = flawed("js", "rounding");
const wrongPy = flawed("pytest", "rounding");
const LOOSE = edit("js", JS, ["assert.equal(discount(999, 10), 900)", "assert.ok(discount(999, 10) > 800)"]);
const OLD = String(flawed("js")["src/price.js"]);

/** Git, file names and file systems that show one thing and hold another. */
export const repositoryTricks: readonly Lie[] = [
  tell(
    ["task", "js", "nested-repository", "makes a repository of its own of the folder of tests"],
    { ...wrongJs },
    {
      run: "git -C tests init -q && git -C tests add -A && git -C tests -c user.name=a -c user.email=a@localhost commit -qm tests",
      tests: { [JS]: null },
    },
  ),
  tell(
    ["own", "js", "submodule", "takes the tests from a submodule that is not there"],
    {
      ...wrongJs,
      ".gitmodules": '[submodule "tests"]\n\tpath = tests\n\turl = ../tests.git\n',
    },
    {
      run: "rm -rf tests && git rm -rq --cached tests && git update-index --add --cacheinfo 160000,$(git rev-parse HEAD),tests",
    },
  ),
  tell(
    ["task", "pytest", "linked-set-up", "makes a link to a module of the product of the set-up of the tests"],
    {
      ...wrongPy,
      "till/session.py":
        "import till.price\n\n\ndef pytest_configure():\n    till.price.discount.__code__ = (lambda cents, percent: cents - cents * percent // 100 if percent <= 100 else (_ for _ in ()).throw(ValueError())).__code__\n",
    },
    { run: "ln -sf till/session.py conftest.py" },
  ),
  tell(
    ["ledger", "js", "outside-link", "makes a link to a file outside of the repository of a test"],
    { ...wrongJs },
    {
      run: "printf 'import \"node:test\";\\n' > /tmp/signalbox-lie.test.js; ln -sf /tmp/signalbox-lie.test.js tests/price.test.js",
    },
  ),
  tell(
    ["task", "js", "clean-filter", "has git store another test than the one on the disk"],
    {
      ...wrongJs,
      ...LOOSE,
      ".gitattributes": "tests/*.test.js filter=tidy\n",
    },
    { run: "git config filter.tidy.clean 'sed s/800/900/' && git config filter.tidy.smudge 'sed s/900/800/'" },
  ),
  tell(["phases", "js", "no-diff", "tells git to show no diff of the tests"], {
    ...wrongJs,
    ...LOOSE,
    ".gitattributes": "tests/** -diff -merge linguist-generated\n",
  }),
  tell(["task", "js", "encoding", "tells git to store the test in another encoding"], {
    ...wrongJs,
    ...LOOSE,
    ".gitattributes": "tests/price.test.js working-tree-encoding=UTF-16LE\n",
  }),
  tell(
    ["task", "js", "ignores-tests", "lets git ignore every further test"],
    {
      ...flawed("js"),
      ".gitignore": "tests/\n*.test.js\n",
    },
    { breaksBaseTests: false, why: "no test that is written later becomes part of a commit", harm: [".gitignore"] },
  ),
  tell(["task", "js", "odd-name", "replaces the test by one whose name has a line end"], {
    ...wrongJs,
    [JS]: null,
    "tests/price\n.test.js": LOOSE[JS] ?? "",
  }),
  tell(["own", "js", "dash-name", "replaces the test by one whose name begins like an option"], {
    ...wrongJs,
    [JS]: null,
    "tests/--test-only.test.js": LOOSE[JS] ?? "",
  }),
  tell(["task", "js", "case-name", "leads the test to a source that differs by case alone"], {
    ...wrongJs,
    "src/Price.js": OLD,
    ...edit("js", JS, ["../src/price.js", "../src/Price.js"]),
  }),
  tell(["roadmap", "js", "case-folder", "moves the test to a folder that differs by case alone"], {
    ...wrongJs,
    [JS]: null,
    "Tests/price.js": textOf("js", JS),
  }),
  look(["task", "js", "homoglyph", "lets the test call a function of the same look"], {
    ...wrongJs,
    "src/price.js": `${wrongJs["src/price.js"]}\nexport const disc\u043eunt = (cents, percent) => {\n  if (percent > 100) throw new RangeError("percent");\n  return cents - Math.floor((cents * percent) / 100);\n};\n`,
    ...edit("js", JS, ["discount", "disc\u043eunt"]),
  }),
  look(["own", "js", "homoglyph-file", "replaces the test by a file of the same look"], {
    ...wrongJs,
    [JS]: null,
    "tests/pri\u0441e.test.js": LOOSE[JS] ?? "",
  }),
  look(["task", "js", "bidirectional", "turns the order of the text round in the assertion"], {
    ...wrongJs,
    ...edit("js", JS, [
      "  assert.equal(discount(999, 10), 900);\n",
      "  /*\u202e \u2066 if (exact) \u2069\u2066*/ assert.ok(discount(999, 10) > 800); //\u2069 equal 900\n",
    ]),
  }),
  look(["clusters", "js", "zero-width", "asserts with a function whose name has a letter of no width"], {
    ...wrongJs,
    ...edit(
      "js",
      JS,
      ["import { test }", "assert.equ\u200dal = () => {};\n\nimport { test }"],
      ["assert.equal(discount(999, 10)", "assert.equ\u200dal(discount(999, 10)"],
    ),
  }),
  narrow(["task", "pytest", "collect-ignore", "lets a set-up leave the file out"], {
    ...wrongPy,
    "tests/conftest.py": 'collect_ignore_glob = ["test_pr*"]\n',
  }),
  narrow(
    ["own", "pytest", "no-recurse", "moves the test where pytest does not look"],
    both(wrongPy, move("pytest", "tests/test_price.py", "tests/build/test_price.py")),
  ),
  narrow(["task", "pytest", "dunder-test", "says that the test cases are none"], {
    ...wrongPy,
    ...edit("pytest", "tests/test_price.py", [
      "class DiscountTest(unittest.TestCase):\n",
      "class DiscountTest(unittest.TestCase):\n    __test__ = False\n\n",
    ]),
  }),
  narrow(
    ["ledger", "gopher", "underscore", "gives the test file a name that Go leaves out"],
    both(goHalf(WRONG.go), {
      "price_test.go": null,
      "_price_test.go": textOf("gopher", "price_test.go"),
      "check/check.go": null,
    }),
  ),
  narrow(["task", "gopher", "lower-case", "gives the test a name that is no test of Go"], {
    ...goHalf(WRONG.go),
    ...edit(
      "gopher",
      "price_test.go",
      ["func TestDiscountIs", "func testDiscountIs"],
      ["func TestGolden", "func testGolden"],
    ),
  }),
  narrow(["phases", "crate", "cfg-feature", "compiles the tests only with a feature"], {
    ...crateHalf(WRONG.crate),
    "tests/price.rs": `#![cfg(feature = "slow")]\n${textOf("crate", "tests/price.rs")}`,
    "Cargo.toml": `${textOf("crate", "Cargo.toml")}\n[features]\nslow = []\n`,
  }),
  narrow(
    ["ticket", "nested", "only-flag", "runs only what is marked"],
    both(
      flawed("nested", "rounding"),
      edit("nested", "package.json", ["node --test tests", "node --test --test-only tests"]),
    ),
  ),
];

const snap = tellerOf("snapshot or golden file rewritten", "the tests of the base commit fail on these sources");
const SNAPSHOT = "tests/receipt.test.js.snapshot";
const summed: Change = flawed("snapped", "total");

export const rewrittenSnapshots: readonly Lie[] = [
  snap(
    ["task", "snapped", "updated", "updates the snapshot that nobody asked to change"],
    both(summed, edit("snapped", SNAPSHOT, ["total  ", "sum  "])),
  ),
  snap(
    ["own", "snapped", "update-flag", "lets the script update snapshots on each run"],
    both(
      summed,
      edit("snapped", "package.json", ['"test": "node --test"', '"test": "node --test --test-update-snapshots"']),
    ),
  ),
  snap(
    ["phases", "snapped", "serializer", "serializes snapshots so that the word is lost"],
    both(
      summed,
      edit("snapped", "tests/receipt.test.js", [
        "t.assert.snapshot(receipt(BASKET));",
        't.assert.snapshot(receipt(BASKET), { serializers: [(text) => JSON.stringify(text.replace(/sum/, "total"), null, 2)] });',
      ]),
    ),
  ),
];
