import { expect, test } from "vitest";
import { listImportHeads, unfoldImports } from "./python-import.ts";
import { findUses } from "./use.ts";

const at = (path: string, ...texts: readonly string[]) => texts.map((text) => ({ path, text }));

test.each([
  ["in brackets", ["from spec import (", "    rates,"]],
  ["in brackets, with others and a remark", ["from spec import ( # ours", "    other as o, rates as r  # here"]],
  ["behind a backslash", ["from spec import \\", "    rates"]],
])("[A-26] a module that an import names %s on a line of its own is used", (_how, texts) => {
  expect(findUses(at("shop/price.py", ...texts), ["spec/rates.py"])?.map(({ from }) => from)).toEqual([
    "shop/price.py",
  ]);
  expect(listImportHeads("spec/rates.py").some((word) => texts[0]?.includes(word))).toBe(true);
});

test("a name on a line of its own is no import without one that is open", () => {
  expect(findUses(at("shop/price.py", "    rates,"), ["spec/rates.py"])).toEqual([]);
  const closed = at("shop/price.py", "from spec import (a)", "    rates,");
  expect(unfoldImports(closed)).toEqual(closed);
  const apart = [...at("shop/a.py", "from spec import ("), ...at("shop/b.py", "    rates,")];
  expect(findUses(apart, ["spec/rates.py"])).toEqual([]);
});
