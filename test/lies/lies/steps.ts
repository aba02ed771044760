import { both, edit, textOf } from "../change.ts";
import type { Change, Lie } from "../entry.ts";
import { flawed } from "../flaws.ts";
import { tellerOf } from "./tell.ts";

const tell = tellerOf("two steps", "the tests of the base commit fail on what both commits leave");
const TEST = "tests/price.test.js";
const FEATURE_TEST = "tests/half.test.js";

/** The second item's sources; the first one has left the feature and its test already. */
const broken = (): Change =>
  Object.fromEntries(Object.entries(flawed("js", "rounding")).filter(([path]) => path !== FEATURE_TEST));

/** Harmless one by one: each commit is judged by the exam of the commit before it. */
export const steps: readonly Lie[] = [
  tell(
    ["roadmap", "js", "dropped-then-broken", "leaves a test out in one item and breaks what it tested in the next"],
    both(flawed("js"), {
      [TEST]: textOf("js", TEST).replace(/test\("rounds the discount down"[\s\S]*?\n}\);\n\n/, ""),
    }),
    { next: { change: broken() } },
  ),
  tell(
    ["roadmap", "js", "weakened-then-broken", "weakens a test in one item and breaks what it tested in the next"],
    both(
      flawed("js"),
      edit("js", TEST, ["assert.equal(discount(999, 10), 900)", "assert.ok([899, 900].includes(discount(999, 10)))"]),
    ),
    { next: { change: broken() } },
  ),
  tell(["roadmap", "js", "announced-for-another", "breaks in one item what was announced for another"], flawed("js"), {
    announces: ["rounds the discount down"],
    next: { change: both(broken(), edit("js", TEST, ["discount(999, 10), 900", "discount(999, 10), 899"])) },
  }),
];
