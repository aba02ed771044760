import { CI, config, type Project } from "./project.ts";

const PRICE = `def total(items):
    return sum(item["cents"] * item.get("count", 1) for item in items)


def discount(cents, percent):
    if percent < 0 or percent > 100:
        raise ValueError("percent must lie between 0 and 100")
    return cents - cents * percent // 100


def cheapest(items):
    return sorted(items, key=lambda item: item["cents"])[0]
`;

const TEXT = `import re


def money(cents):
    return f"{cents / 100:.2f} EUR"


def slug(text):
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")
`;

const PRICE_TEST = `import unittest

from till.price import cheapest, discount, total


class TotalTest(unittest.TestCase):
    def test_adds_prices_by_count(self):
        self.assertEqual(total([{"cents": 450, "count": 2}, {"cents": 250}]), 1150)

    def test_an_empty_basket_costs_nothing(self):
        self.assertEqual(total([]), 0)


class DiscountTest(unittest.TestCase):
    def test_takes_a_percentage_off(self):
        self.assertEqual(discount(1000, 10), 900)

    def test_rounds_the_discount_down(self):
        self.assertEqual(discount(999, 10), 900)

    def test_refuses_more_than_all(self):
        with self.assertRaises(ValueError):
            discount(1000, 101)


class CheapestTest(unittest.TestCase):
    def test_leaves_the_list_alone(self):
        items = [{"cents": 3}, {"cents": 1}]
        self.assertEqual(cheapest(items)["cents"], 1)
        self.assertEqual(items[0]["cents"], 3)
`;

const TEXT_TEST = `import json
import pathlib
import unittest

from till.text import money, slug

CASES = json.loads((pathlib.Path(__file__).parent / "data" / "slugs.json").read_text())


class SlugTest(unittest.TestCase):
    def test_every_case(self):
        for case in CASES:
            with self.subTest(case["text"]):
                self.assertEqual(slug(case["text"]), case["expected"])


class MoneyTest(unittest.TestCase):
    def test_has_two_digits(self):
        self.assertEqual(money(5), "0.05 EUR")
        self.assertEqual(money(1230), "12.30 EUR")
`;

const CASES = [
  { text: "Green Tea", expected: "green-tea" },
  { text: "  Salt & Pepper! ", expected: "salt-pepper" },
  { text: "snake_case", expected: "snake-case" },
];

export const python: Project = {
  language: "python",
  sources: ["till"],
  exam: ["python3", "-m", "unittest", "-v"],
  passed: /^(.+?)(?: \(.*\))? \.\.\. ok$/gm,
  files: {
    "README.md": "# till\n\nPrices and names for addresses.\n",
    ".gitignore": "__pycache__/\n",
    "till/__init__.py": "",
    "till/price.py": PRICE,
    "till/text.py": TEXT,
    "tests/__init__.py": "",
    "tests/data/slugs.json": `${JSON.stringify(CASES, null, 2)}\n`,
    "tests/test_price.py": PRICE_TEST,
    "tests/test_text.py": TEXT_TEST,
    ".github/workflows/ci.yml": CI("python3 -m unittest"),
    ".signalbox/config.yaml": config({ build: "python3 -m compileall -q till", test: "python3 -m unittest" }),
  },
};

/** The same, tested by pytest. */
export const pytest: Project = {
  ...python,
  files: {
    ...python.files,
    "pyproject.toml": '[project]\nname = "till"\nversion = "1.0.0"\n',
    ".signalbox/config.yaml": config({ build: "python3 -m compileall -q till", test: "python3 -m pytest -q" }),
  },
};

const TAX_TEST = `from till.tax import tax


def test_tax_is_a_share_of_the_price():
    assert tax(1000, 19) == 190


def test_tax_is_rounded_to_the_nearest_cent():
    assert tax(999, 19) == 190
`;

/** One test was red before anybody came. */
export const taxed: Project = {
  ...pytest,
  files: {
    ...pytest.files,
    "till/tax.py": "def tax(cents, percent):\n    return cents * percent // 100\n",
    "tests/test_tax.py": TAX_TEST,
  },
};

/** Tested by a package of the repository that is run by its name. */
export const moduled: Project = {
  ...python,
  files: {
    ...python.files,
    "checks/__init__.py": "",
    "checks/__main__.py": `import unittest

from checks.where import TESTS

unittest.main(module=None, argv=["checks", "discover", "-s", TESTS, "-t", "."])
`,
    "checks/where.py": 'TESTS = "tests"\n',
    ".signalbox/config.yaml": config({ build: "python3 -m compileall -q till", test: "python3 -m checks" }),
  },
};
