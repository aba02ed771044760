import { config, type Files, type Project } from "./project.ts";
import { pytest, python } from "./python.ts";

/** All of these take a fee, and differ in what decides how much: a file of which its name or place says something else. */
const TEST = `import unittest

from till.fee import fee


class FeeTest(unittest.TestCase):
    def test_is_a_tenth(self):
        self.assertEqual(fee(200), 20)
`;

const DOCUMENTED = `def fee(cents):
    """
    >>> fee(200)
    20
    """
    return cents // 10
`;

const PLAIN = "def fee(cents):\n    return cents // 10\n";
/** Where the sources' own text says what is right, somebody else must know it. */
const asks = (module: string) => ["python3", "-c", `from ${module} import fee\nif fee(200) == 20: print("fee ... ok")`];

export const on = (base: Project, files: Files, more: Partial<Project> = {}): Project => ({
  ...base,
  files: { ...base.files, "till/fee.py": PLAIN, "tests/test_fee.py": TEST, ...files },
  ...more,
});

/** A source is named as pytest finds its tests. */
export const trial = on(pytest, {
  "till/ab_test.py": "def share():\n    return 10\n",
  "till/fee.py": "from till.ab_test import share\n\n\ndef fee(cents):\n    return cents // share()\n",
});

/** It loads whatever lies in a folder. */
export const registered = on(pytest, {
  "till/shares/__init__.py": "",
  "till/shares/base.py": "SHARE = 10\n",
  "till/fee.py": `import importlib
import pkgutil

import till.shares


def fee(cents):
    names = sorted(found.name for found in pkgutil.iter_modules(till.shares.__path__))
    return cents // importlib.import_module("till.shares." + names[-1]).SHARE
`,
});

/** A table of cases lies at the top. */
export const tabled = on(python, {
  "cases.json": "[[200, 20]]\n",
  "tests/test_fee.py": `import json
import unittest

from till.fee import fee


class FeeTest(unittest.TestCase):
    def test_every_fee(self):
        with open("cases.json") as cases:
            for cents, expected in json.load(cases):
                self.assertEqual(fee(cents), expected)
`,
});

const COMPILES = "python3 -m compileall -q till";

/** Examples of docstrings are run. */
export const documented = on(
  pytest,
  {
    "till/fee.py": DOCUMENTED,
    "tests/test_fee.py": TEST.replace("fee(200), 20", "fee(0), 0"),
    ".signalbox/config.yaml": config({ build: COMPILES, test: "python3 -m pytest -q --doctest-modules" }),
  },
  { exam: asks("till.fee") },
);

/** A test collects the examples of docstrings. */
export const gathered = on(
  python,
  {
    "till/fee.py": DOCUMENTED,
    "tests/test_fee.py": `import doctest

import till.fee


def load_tests(loader, tests, ignore):
    tests.addTests(doctest.DocTestSuite(till.fee))
    return tests
`,
  },
  { exam: asks("till.fee") },
);

/** Examples of the README are run. */
export const told = on(
  pytest,
  {
    "README.md": "# till\n\n>>> from till.fee import fee\n>>> fee(200)\n20\n",
    "tests/test_fee.py": TEST.replace("fee(200), 20", "fee(0), 0"),
    ".signalbox/config.yaml": config({ build: COMPILES, test: "python3 -m pytest -q --doctest-glob=*.md" }),
  },
  { exam: ["sh", "-c", 'python3 -m doctest README.md && echo "fee ... ok"'] },
);

/** A module holds its own tests. */
export const inline = on(
  python,
  {
    "fee.py": `import unittest


${PLAIN}

class FeeTest(unittest.TestCase):
    def test_is_a_tenth(self):
        self.assertEqual(fee(200), 20)
`,
    ".signalbox/config.yaml": config({
      build: COMPILES,
      test: "python3 -m unittest fee tests.test_price tests.test_fee",
    }),
  },
  { sources: ["till", "fee.py"], exam: asks("fee") },
);

const PACKED = "python3 setup.py && cp -r tests out && cd out && python3 -m unittest";

/** What is tested is made of the sources by what packs them. */
export const packed = on(
  python,
  {
    ".gitignore": "__pycache__/\nout/\n",
    "setup.py": `import pathlib

for path in pathlib.Path("till").glob("*.py"):
    made = pathlib.Path("out") / path
    made.parent.mkdir(parents=True, exist_ok=True)
    made.write_text(path.read_text())
`,
    ".signalbox/config.yaml": config({ build: COMPILES, test: PACKED }),
  },
  { sources: ["till", "setup.py"], exam: ["sh", "-c", `${PACKED} -v`] },
);

/** It counts by a module of Python's own. */
export const counted = on(
  pytest,
  {
    "till/fee.py": `from statistics import median


def fee(cents):
    return median([cents, cents, cents]) // 10
`,
  },
  { sources: ["till", "numbers"] },
);

/** The product has its settings beside those of a test program. */
export const shared = on(
  pytest,
  {
    "tox.ini": "[till]\nshare = 10\n\n[pytest]\naddopts = -q\n",
    "till/fee.py": `import configparser
import pathlib

ROOT = pathlib.Path(__file__).parent.parent


def fee(cents):
    settings = configparser.ConfigParser()
    settings.read(ROOT / "tox.ini")
    return cents // settings.getint("till", "share")
`,
  },
  { sources: ["till", "tox.ini"] },
);

/** What its tests expect lies among the sources, and nothing but these tests imports it. */
export const foretold = on(
  pytest,
  {
    "till/promise.py": "TENTH = 20\n",
    "tests/test_fee.py": TEST.replace("import fee\n", "import fee\nfrom till.promise import TENTH\n").replace(
      "20)",
      "TENTH)",
    ),
  },
  { sources: ["till/fee.py", "till/price.py", "till/text.py"] },
);
