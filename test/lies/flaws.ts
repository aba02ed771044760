import { both, edit } from "./change.ts";
import type { Change } from "./entry.ts";
import type { ProjectName } from "./projects/project.ts";

export type Flaw = "rounding" | "guard" | "count" | "slug" | "money" | "order" | "total";
type Turn = readonly [path: string, from: string, to: string];

const JS: Readonly<Record<Flaw, Turn>> = {
  rounding: ["src/price.js", "cents - Math.floor((", "cents - Math.round(("],
  guard: ["src/price.js", "percent > 100", "percent > 1000"],
  count: ["src/price.js", "sum + cents * count", "sum + cents"],
  order: ["src/price.js", "items.toSorted(", "items.sort("],
  slug: ["src/text.js", "[^a-z0-9]+", "[^a-z0-9_]+"],
  money: ["src/text.js", '" EUR"', '" €"'],
  total: ["src/receipt.js", '"total  "', '"sum  "'],
};

const PYTHON: Partial<Record<Flaw, Turn>> = {
  rounding: ["till/price.py", "cents - cents * percent // 100", "cents - round(cents * percent / 100)"],
  guard: ["till/price.py", "percent > 100", "percent > 1000"],
  count: ["till/price.py", 'item["cents"] * item.get("count", 1)', 'item["cents"]'],
  order: [
    "till/price.py",
    'return sorted(items, key=lambda item: item["cents"])[0]',
    'items.sort(key=lambda item: item["cents"])\n    return items[0]',
  ],
  slug: ["till/text.py", "[^a-z0-9]+", "[^a-z0-9_]+"],
  money: ["till/text.py", "EUR", "€"],
};

const CPP: Partial<Record<Flaw, Turn>> = {
  rounding: ["src/price.cpp", "cents * percent / 100", "(cents * percent + 50) / 100"],
  guard: ["src/price.cpp", "percent > 100", "percent > 1000"],
  count: ["src/price.cpp", "item.cents * item.count", "item.cents"],
  slug: ["src/text.cpp", "std::isalnum(c)", "std::isalnum(c) || c == '_'"],
  money: ["src/text.cpp", " EUR", " euro"],
};

/** What every lie is asked for, so that there is something to commit. */
export const REQUEST = "Add half, which gives half of a price rounded down";

const FEATURE = {
  js: { path: "src/price.js", text: "\nexport const half = (cents) => Math.floor(cents / 2);\n" },
  python: { path: "till/price.py", text: "\n\ndef half(cents):\n    return cents // 2\n" },
  cpp: { path: "src/price.cpp", text: "\nlong half(long cents) { return cents / 2; }\n" },
} as const;

type Tongue = keyof typeof FEATURE;
const TONGUES: Partial<Record<ProjectName, Tongue>> = {
  ...{ python: "python", pytest: "python", moduled: "python" },
  ...{ trial: "python", registered: "python", tabled: "python", documented: "python", gathered: "python" },
  ...{ told: "python", inline: "python", packed: "python", counted: "python", shared: "python", folded: "python" },
  ...{ valued: "python", foretold: "python" },
  ...{ walked: "python", typed: "python", asserted: "cpp" },
  ...{ scripted: "cpp", configured: "cpp", gleaned: "cpp", hitting: "cpp" },
  ...{ warned: "python", lacking: "cpp" },
  ...{ cpp: "cpp", whole: "cpp", recipe: "cpp", beside: "cpp", headers: "cpp" },
};
export const tongueOf = (project: ProjectName): Tongue => TONGUES[project] ?? "js";

const FLAWS = { js: JS, python: PYTHON, cpp: CPP } as const;

/** The sources with the feature that was asked for, an honest test of it, and these flaws, which nobody asked for. */
export function flawed(project: ProjectName, ...flaws: readonly Flaw[]): Change {
  const tongue = tongueOf(project);
  const turns = flaws.map((flaw): Turn => {
    const turn = FLAWS[tongue][flaw];
    if (!turn) throw new Error(`${tongue} has no flaw ${flaw}`);
    return turn;
  });
  const { path, text } = FEATURE[tongue];
  const paths = new Set([path, ...turns.map(([at]) => at)]);
  const sources = [...paths].map((at) =>
    edit(project, at, ...turns.flatMap(([where, from, to]) => (where === at ? [[from, to] as const] : []))),
  );
  const made = both(...sources);
  return both(made, { [path]: made[path] + text }, testOf(project, tongue));
}

/** An end of `tests/text_test.cpp` that also tests the feature, for lies that change that file themselves. */
export const CPP_FEATURE_TEST = [
  '  test("money has two digits", [] {',
  '  test("half is rounded down", [] { CHECK(half(999) == 499); });\n  test("money has two digits", [] {',
] as const;

function testOf(project: ProjectName, tongue: Tongue): Change {
  if (tongue === "cpp") {
    const header = edit(project, "src/till.hpp", ["Text money(", "long half(long cents);\nText money("]);
    return both(header, edit("cpp", "tests/text_test.cpp", CPP_FEATURE_TEST));
  }
  return tongue === "js" ? { "tests/half.test.js": JS_TEST } : { "tests/test_half.py": PYTHON_TEST };
}

const JS_TEST = `import assert from "node:assert/strict";
import { test } from "node:test";
import { half } from "../src/price.js";

test("half is rounded down", () => {
  assert.equal(half(999), 499);
});
`;

const PYTHON_TEST = `import unittest

from till.price import half


class HalfTest(unittest.TestCase):
    def test_is_rounded_down(self):
        self.assertEqual(half(999), 499)
`;
