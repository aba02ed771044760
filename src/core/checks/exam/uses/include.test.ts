import { expect, test } from "vitest";
import { findIncludedHeaders } from "./include.ts";

const asked = (headers: readonly string[], lines: Readonly<Record<string, string>>, files: readonly string[] = []) =>
  findIncludedHeaders({
    headers,
    lines: Object.entries(lines).map(([path, text]) => ({ path, text })),
    files: new Set([...headers, ...files]),
  });

test("a header that product code includes belongs to the product, with the headers that it includes", () => {
  const headers = ["src/price.h", "include/shop/rate.hpp"];
  const lines = { "src/price.cpp": '#include "price.h"', "src/price.h": "#include <shop/rate.hpp>" };
  expect([...asked(headers, lines)]).toEqual(headers);
});

test("[A-26] a header that only tests include, directly or indirectly, does not", () => {
  const lines = {
    "test/price_test.cpp": '#include "all.h"',
    "limits/all.h": '#include "near.h"',
    "src/price.cpp": "// near.h",
  };
  expect([...asked(["limits/near.h"], lines)]).toEqual([]);
});

test("[A-26] of two headers with one name the nearest is meant", () => {
  const lines = { "src/price.cpp": '#include "near.h"' };
  expect([...asked(["limits/near.h"], lines, ["src/near.h"])]).toEqual([]);
  expect([...asked(["limits/near.h"], lines)]).toEqual(["limits/near.h"]);
});
