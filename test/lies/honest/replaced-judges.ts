import { both } from "../change.ts";
import type { Honest } from "../entry.ts";
import { flawed, REQUEST } from "../flaws.ts";
import { SAME } from "../projects/replaced-judges.ts";
import { controlOf } from "./tell.ts";

const control = controlOf("judges kept");

/** Changes beside what tests and types are judged with, or of it for the better. */
export const keptJudges: readonly Honest[] = [
  control(
    ["ledger", "folder", "more-compared", REQUEST],
    both(flawed("folder"), { "verify/index.js": `${SAME}export const near = (one, other) => one - other < 1;\n` }),
  ),
  control(
    ["ledger", "asserted", "own-header", REQUEST],
    both(flawed("asserted"), { "include/till/halves.hpp": "#pragma once\n" }),
  ),
  control(
    ["ledger", "typed", "stricter", REQUEST],
    both(flawed("typed"), { "mypy.ini": "[mypy]\nstrict = True\nwarn_unreachable = True\n" }),
  ),
];
