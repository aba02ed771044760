import { project, testOf } from "./js-halves.ts";
import { config } from "./project.ts";
import { pytest } from "./python.ts";
import { on } from "./python-halves.ts";

const WEAK = testOf("../src/fee.js", "assert.ok");
const VERIFY = 'import { fee } from "../src/fee.js";\n\nif (fee(200) !== 20) process.exit(1);\n';
const examOf = (line: string) => [
  "sh",
  "-c",
  `node --test --test-reporter=tap; ${line} && echo "ok 99 - the fee is right"`,
];

/** A helper of the tests that a benchmark imports, too. */
export const benched = project({
  "tests/support/same.js": `export const same = (one, other) => {
  if (Math.abs(one - other) > 0.01) throw new Error("not the same");
};
`,
  "tests/fee.test.js": `${testOf("../src/fee.js", "same")}import { same } from "./support/same.js";\n`,
  "bench/fee.js": `import { fee } from "../src/fee.js";
import { same } from "../tests/support/same.js";

for (let cents = 0; cents < 1000; cents += 10) same(fee(cents), cents / 10);
`,
});

/** A route of the product looks like the path of its test. */
export const routed = project({
  "src/routes.js": 'import { fee } from "./fee.js";\n\nexport const routes = { "/api/fee": fee };\n',
  "test/api/fee.js": `import assert from "node:assert/strict";
import { test } from "node:test";
import { routes } from "../../src/routes.js";

test("the route gives a tenth", () => assert.equal(routes["/api/fee"](200), 20));
`,
  "tests/fee.test.js": WEAK,
});

const GUIDED = "node --import ./ci/ready.mjs ci/verify.mjs";

/** What judges stands behind an option that has a value. */
export const guarded = project(
  {
    "ci/ready.mjs": "globalThis.ready = true;\n",
    "ci/verify.mjs": VERIFY,
    "tests/fee.test.js": WEAK,
    ".signalbox/config.yaml": config({ test: "node --test", verify: GUIDED }),
  },
  { exam: examOf(GUIDED) },
);

const LOOP = "for each in checks/*.mjs; do node $each || exit 1; done";

/** What judges is found by a loop. */
export const looped = project(
  {
    "checks/fee.mjs": VERIFY,
    "tests/fee.test.js": WEAK,
    ".signalbox/config.yaml": config({ test: "node --test", verify: LOOP }),
  },
  { exam: examOf(`(${LOOP})`) },
);

/** Settings of the test program name a module with what is right. */
export const valued = on(
  pytest,
  {
    "pytest.ini": "[pytest]\naddopts = -q -p quality.values\npythonpath = .\n",
    "quality/__init__.py": "",
    "quality/values.py": "import pytest\n\n\n@pytest.fixture\ndef wanted():\n    return 20\n",
    "tests/test_fee.py": `from till.fee import fee


def test_is_a_tenth(wanted):
    assert fee(200) == wanted
`,
  },
  {
    exam: ["python3", "-m", "pytest", "-q", "-rA"],
    passed: /^PASSED (.+)$/gm,
  },
);
