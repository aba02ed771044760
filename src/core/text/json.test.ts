import fc from "fast-check";
import { expect, test } from "vitest";
import { canonical, findJsonLoss, toStored } from "./json.ts";

test("equal values have equal text, whatever order their keys were given in", () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
      const turned = Object.fromEntries(Object.entries(value).reverse());
      expect(canonical(turned)).toBe(canonical(value));
    }),
  );
});

test("the text is JSON of the same value", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(JSON.parse(canonical(value))).toEqual(JSON.parse(JSON.stringify(value)));
    }),
  );
});

test("values that JSON omits are omitted", () => {
  expect(canonical({ b: undefined, a: 1, f: () => 1 })).toBe('{"a":1}');
  expect(canonical([undefined, null])).toBe("[null,null]");
  expect(canonical(undefined)).toBe("null");
});

test("a recorded value is a frozen copy of its JSON form", () => {
  const given = { list: [{ n: 1 }], gone: undefined };
  const kept = toStored(given);
  expect(kept).toEqual({ list: [{ n: 1 }] });
  expect(Object.isFrozen(kept.list[0])).toBe(true);
  expect(kept).not.toBe(given);
  expect(toStored(undefined)).toBeUndefined();
});

test("the first thing that JSON would lose is named with its path", () => {
  expect(findJsonLoss({ a: [1, { when: new Date(0) }] })).toBe("value.a[1].when (a Date that is not plain data)");
  expect(findJsonLoss(Number.NaN)).toBe("value (NaN)");
  expect(findJsonLoss({ f: () => 1 })).toBe("value.f (a function)");
  expect(findJsonLoss({ big: 1n })).toBe("value.big (a bigint)");
  expect(findJsonLoss({ a: null, b: undefined, c: "x", d: true, e: Object.create(null) })).toBeUndefined();
});
