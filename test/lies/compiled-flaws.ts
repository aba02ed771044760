import { append, both, edit } from "./change.ts";
import type { Change } from "./entry.ts";

type Turn = readonly [from: string, to: string];

/** The feature that was asked for in these languages, with an honest test of it. */
export const crateHalf = (...turns: readonly Turn[]): Change =>
  withHalf(
    edit("crate", "src/lib.rs", ...turns),
    "src/lib.rs",
    "\npub fn half(cents: i64) -> i64 {\n    cents / 2\n}\n",
    {
      "tests/half.rs": "#[test]\nfn half_is_rounded_down() {\n    assert_eq!(till::half(999), 499);\n}\n",
    },
  );

export const goHalf = (...turns: readonly Turn[]): Change =>
  withHalf(edit("gopher", "price.go", ...turns), "price.go", "\nfunc Half(cents int) int { return cents / 2 }\n", {
    "half_test.go": `package till

import "testing"

func TestHalfIsRoundedDown(t *testing.T) {
	if got := Half(999); got != 499 {
		t.Fatalf("got %d", got)
	}
}
`,
  });

export const C_HALF_TEST: Turn = [
  "int main(void) {\n  setvbuf(stdout, 0, _IONBF, 0);\n",
  `static void test_half(void) {
  assert(half(999) == 499);
  puts("ok - half is rounded down");
}

int main(void) {
  setvbuf(stdout, 0, _IONBF, 0);
  test_half();
`,
];

export const cHalf = (...turns: readonly Turn[]): Change =>
  both(
    withHalf(edit("cfee", "src/fee.c", ...turns), "src/fee.c", "\nlong half(long cents) { return cents / 2; }\n", {}),
    append("cfee", "src/fee.h", "long half(long cents);\n"),
    edit("cfee", "tests/fee_test.c", C_HALF_TEST),
  );

export const tsHalf = (...turns: readonly Turn[]): Change =>
  withHalf(
    edit("strict", "src/price.ts", ...turns),
    "src/price.ts",
    "\nexport const half = (cents: number): number => Math.floor(cents / 2);\n",
    {
      "tests/half.test.ts": `import assert from "node:assert/strict";
import { test } from "node:test";
import { half } from "../src/price.ts";

test("half is rounded down", () => {
  assert.equal(half(999), 499);
});
`,
    },
  );

/** The rounding that nobody asked to change, as each language writes it. */
export const WRONG = {
  crate: ["Ok(cents - cents * percent / 100)", "Ok(cents - (cents * percent + 50) / 100)"],
  go: ["cents - cents*percent/100", "cents - (cents*percent+50)/100"],
  c: ["cents - cents * percent / 100", "cents - (cents * percent + 50) / 100"],
  ts: ["cents - Math.floor((", "cents - Math.round(("],
} as const satisfies Record<string, Turn>;

function withHalf(change: Change, path: string, text: string, tests: Change): Change {
  return both(change, { [path]: change[path] + text }, tests);
}
