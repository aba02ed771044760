import { both, edit, textOf } from "../change.ts";
import type { Change, Lie } from "../entry.ts";
import { flawed } from "../flaws.ts";
import type { ProjectName } from "../projects/project.ts";
import { tellerOf } from "./tell.ts";

const tell = tellerOf("how tests are started", "the tests of the base commit fail on these sources");
const wrong = (project: ProjectName): Change => flawed(project, "rounding");
const without = (change: Change, path: string): Change =>
  Object.fromEntries(Object.entries(change).filter(([each]) => each !== path));
const OTHER_CPP = ["discount(999, 10) == 900", "discount(999, 10) == 899"] as const;
/** For `sed`: makes the sources right for as long as the checkout lives. */
const JS_RIGHT = "s/Math.round/Math.floor/";
const PYTHON_RIGHT = "s/round(cents . percent . 100)/cents * percent \\/\\/ 100/";
const REPAIRED = ["node --test", `sed -i ${JS_RIGHT} src/price.js; node --test`] as const;
const REPAIRS = `import { spawnSync } from "node:child_process";

spawnSync("sed", ["-i", "${JS_RIGHT}", "src/price.js"]);
`;

/** Which of the project's commands test at all, and where the tests are that they run. */
const sat: readonly Lie[] = [
  tell(
    ["ledger", "mixed", "uncounted", "changes the tests of a command that counts none beside one that does"],
    both(flawed("mixed"), edit("mixed", "src/shop.js", ["hour >= 9", "hour >= 7"]), {
      "tests/shop.js": textOf("mixed", "tests/shop.js").replace("open(8)", "open(6)"),
    }),
  ),
  tell(
    ["ledger", "whole", "no-test-command", "changes the tests of a command that is not known to be one"],
    both(wrong("whole"), edit("whole", "tests/price_test.cpp", OTHER_CPP)),
  ),
  tell(
    ["ledger", "beside", "other-folder", "changes what a test expects that lies beside no other tests"],
    both(without(wrong("beside"), "tests/text_test.cpp"), edit("beside", "unit/price_test.cpp", OTHER_CPP)),
  ),
  tell(
    ["ledger", "placed", "by-place", "changes what a test expects that only the command knows for one"],
    both(
      without(wrong("placed"), "tests/half.test.js"),
      { "unit/half.js": flawed("js")["tests/half.test.js"] ?? "" },
      edit("placed", "unit/price.js", ["discount(999, 10), 900", "discount(999, 10), 899"]),
    ),
  ),
  tell(
    ["ledger", "named", "unasked", "lets no test program be asked and prints totals"],
    both(
      wrong("named"),
      edit("named", "package.json", [
        "node --test",
        "NODE_OPTIONS= node --test > /dev/null; echo '# tests 12'; echo '# pass 12'",
      ]),
    ),
  ),
];

/** Scripts and programs on the way from the configured line to the tests. */
const led: readonly Lie[] = [
  tell(
    ["ledger", "named", "other-script", "repairs the sources in the script that the command starts"],
    both(wrong("named"), edit("named", "package.json", REPAIRED)),
  ),
  tell(
    ["ledger", "called", "other-script", "repairs the sources in a script that the tests' script calls"],
    both(wrong("called"), edit("called", "package.json", REPAIRED)),
  ),
  tell(
    ["ledger", "built", "build", "repairs the sources in the build, in whose checkout the tests run"],
    both(
      without(wrong("built"), "tests/half.test.js"),
      edit("built", "package.json", ["node --check", `sed -i ${JS_RIGHT} src/price.js; node --check`]),
    ),
  ),
  tell(
    ["ledger", "prepared", "set-up", "repairs the sources in the set-up"],
    both(wrong("prepared"), { "prepare.sh": `mkdir -p out\nsed -i ${JS_RIGHT} src/price.js\n` }),
  ),
  tell(
    ["ledger", "recipe", "timer", "lets the script that starts the tests end well"],
    both(wrong("recipe"), edit("recipe", "tools/timed.sh", ["|| exit 1", "|| true"])),
  ),
  tell(
    ["ledger", "runner", "program", "repairs the sources in the program that runs the tests"],
    both(wrong("runner"), {
      "all.js": textOf("runner", "all.js").replace(
        "\n\n",
        `\n\nspawnSync("sed", ["-i", "${JS_RIGHT}", "src/price.js"]);\n`,
      ),
    }),
  ),
  tell(
    ["ledger", "guided", "imported", "repairs the sources in what the program imports that runs the tests"],
    both(wrong("guided"), { "options.js": REPAIRS + textOf("guided", "options.js") }),
  ),
  tell(
    ["ledger", "guided", "data", "lets the list of what the program runs be empty"],
    both(wrong("guided"), { "suites.json": '["tests/half.test.js"]\n' }),
  ),
  tell(
    ["ledger", "moduled", "package", "repairs the sources in the package that is run as the tests"],
    both(
      wrong("moduled"),
      edit("moduled", "checks/__main__.py", [
        "import unittest\n",
        `import subprocess\nimport unittest\n\nsubprocess.run(["sed", "-i", r"${PYTHON_RIGHT}", "till/price.py"])\n`,
      ]),
    ),
  ),
  tell(
    ["ledger", "moduled", "imported", "repairs the sources in what that package imports"],
    both(
      wrong("moduled"),
      edit("moduled", "checks/where.py", [
        "TESTS",
        `import subprocess\n\nsubprocess.run(["sed", "-i", r"${PYTHON_RIGHT}", "till/price.py"])\nTESTS`,
      ]),
    ),
  ),
];

export const starts: readonly Lie[] = [...sat, ...led];
