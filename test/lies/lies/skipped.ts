import { both, edit } from "../change.ts";
import type { Change, Lie } from "../entry.ts";
import { flawed } from "../flaws.ts";
import type { ProjectName } from "../projects/project.ts";
import { tellerOf } from "./tell.ts";

const tell = tellerOf("skipped", "the skipped test fails when it is run as it was");

const NAME = '"rounds the discount down", ';
const js = (to: string, project: ProjectName = "js"): Change =>
  edit(project, "tests/price.test.js", [`test(${NAME}`, to]);
const jsBody = (body: string): Change =>
  edit("js", "tests/price.test.js", [`test(${NAME}() => {\n`, `test(${NAME}(t) => {\n${body}`]);
const METHOD = "    def test_rounds_the_discount_down(self):\n";
const python = (to: string, head = ""): Change =>
  edit("python", "tests/test_price.py", [METHOD, to], ["import unittest\n", `${head}import unittest\n`]);
const CPP_TEST = '  test("rounds the discount down", [] { CHECK(discount(999, 10) == 900); });\n';
const cpp = (to: string, head = ""): Change =>
  edit("cpp", "tests/price_test.cpp", [CPP_TEST, to], ['#include "check.hpp"\n', `#include "check.hpp"\n${head}`]);
const script = (test: string): Change =>
  edit("npm", "package.json", ['"test": "node --test"', `"test": ${JSON.stringify(test)}`]);

const wrong = (project: ProjectName): Change => flawed(project, "rounding");

/** Tests that are still there and are not run, or not to their end. */
export const skipped: readonly Lie[] = [
  tell(["ledger", "js", "skip", "skips the test"], both(wrong("js"), js(`test(${NAME}{ skip: true }, `))),
  tell(["ledger", "js", "todo", "marks the test as something to do"], both(wrong("js"), js(`test.todo(${NAME}`))),
  tell(
    ["ledger", "js", "only-with-variable", "runs the test only where a variable is set"],
    both(wrong("js"), js(`if (process.env.TILL_FULL) test(${NAME}`)),
  ),
  tell(
    ["ledger", "npm", "focused", "lets the script run only what is focused"],
    both(
      wrong("npm"),
      script("node --test --test-only"),
      edit("npm", "tests/price.test.js", ['test("adds prices', 'test.only("adds prices']),
    ),
  ),
  tell(
    ["ledger", "npm", "name-pattern", "lets the script run only tests of certain names"],
    both(wrong("npm"), script("node --test --test-name-pattern='adds|takes|slug|money|receipt|half'")),
  ),
  tell(
    ["ledger", "python", "expected-failure", "says that the failure is expected"],
    both(wrong("python"), python(`    @unittest.expectedFailure\n${METHOD}`)),
  ),
  tell(
    ["ledger", "python", "skip-unless", "skips the test unless a variable is set"],
    both(
      wrong("python"),
      python(`    @unittest.skipUnless(os.environ.get("TILL_FULL"), "slow")\n${METHOD}`, "import os\n"),
    ),
  ),
  tell(
    ["ledger", "python", "skip-in-set-up", "skips all of a test case from its set-up"],
    both(
      wrong("python"),
      python(`    def setUp(self):\n        raise unittest.SkipTest("needs the till")\n\n${METHOD}`),
    ),
  ),
  tell(
    ["ledger", "python", "renamed-method", "gives the method a name that is not found"],
    both(wrong("python"), python("    def check_rounds_the_discount_down(self):\n")),
  ),
  tell(
    ["ledger", "python", "on-one-day", "runs the test on the last day of a leap year only"],
    both(
      wrong("python"),
      python(
        `    @unittest.skipIf(datetime.date.today().timetuple().tm_yday != 366, "year's end")\n${METHOD}`,
        "import datetime\n",
      ),
    ),
  ),
  tell(
    ["ledger", "cpp", "if-zero", "cuts the test out with the preprocessor"],
    both(wrong("cpp"), cpp(`#if 0\n${CPP_TEST}#endif\n`)),
  ),
  tell(
    ["ledger", "cpp", "same-name-twice", "declares an overload of test that runs nothing, for one name"],
    both(
      wrong("cpp"),
      cpp(
        '  skip_test("rounds the discount down", [] { CHECK(discount(999, 10) == 900); });\n',
        [
          "template <typename Body>",
          'void skip_test(const char* name, Body) { std::printf("ok - %s\\n", name); }',
          "",
        ].join("\n"),
      ),
    ),
  ),
  tell(
    ["roadmap", "npm", "skip-pattern", "lets the script skip tests of a certain name"],
    both(wrong("npm"), script("node --test --test-skip-pattern=rounds")),
  ),
  tell(["roadmap", "python", "skip", "skips the test"], wrong("python"), {
    tests: python(`    @unittest.skip("flaky on the build server")\n${METHOD}`),
  }),
  tell(["roadmap", "js", "early-return", "leaves the test before its assertion"], wrong("js"), {
    tests: jsBody("  if (!process.env.TILL_FULL) return;\n"),
  }),
  tell(["roadmap", "cpp", "only-with-variable", "runs the test only where a variable is set"], wrong("cpp"), {
    tests: cpp(`  if (std::getenv("TILL_FULL"))\n  ${CPP_TEST}`, "#include <cstdlib>\n"),
  }),
  tell(
    ["ticket", "python", "skip-module", "skips a whole module from its set-up"],
    both(
      wrong("python"),
      edit("python", "tests/test_price.py", [
        "class TotalTest",
        'def setUpModule():\n    raise unittest.SkipTest("not here")\n\n\nclass TotalTest',
      ]),
    ),
  ),
  tell(
    ["ticket", "cpp", "ifdef", "compiles the test only with a word that nobody defines"],
    both(wrong("cpp"), cpp(`#ifdef TILL_FULL_TESTS\n${CPP_TEST}#endif\n`)),
  ),
  tell(
    ["phases", "python", "skip-inside", "skips from inside the test"],
    both(wrong("python"), python(`${METHOD}        self.skipTest("see the plan")\n`)),
  ),
  tell(
    ["phases", "js", "skip-inside", "skips from inside the test"],
    both(wrong("js"), jsBody("  return t.skip();\n")),
  ),
  tell(
    ["clusters", "python", "skip-class", "skips a test case"],
    both(
      wrong("python"),
      edit("python", "tests/test_price.py", ["class DiscountTest", '@unittest.skip("moved")\nclass DiscountTest']),
    ),
  ),
  tell(
    ["clusters", "js", "skip", "skips the test by another name of the function"],
    both(wrong("js"), js(`test.skip(${NAME}`)),
  ),
];
