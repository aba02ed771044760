import { expect, test } from "vitest";
import { RULE_BOOK } from "./rule-book.ts";

test.each(Object.entries(RULE_BOOK))("%s gives each id to one rule only", (_name, rules) => {
  const ids = rules.map(({ id }) => id);
  expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([]);
});
