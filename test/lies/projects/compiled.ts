import { cpp } from "./cpp.ts";
import { config, type Project } from "./project.ts";

const CRATE_PRICE = `pub fn total(items: &[(i64, i64)]) -> i64 {
    items.iter().map(|(cents, count)| cents * count).sum()
}

pub fn discount(cents: i64, percent: i64) -> Result<i64, String> {
    if !(0..=100).contains(&percent) {
        return Err("percent must lie between 0 and 100".to_string());
    }
    Ok(cents - cents * percent / 100)
}
`;

const CRATE_TEST = `use till::{discount, total};

#[test]
fn adds_prices_by_count() {
    assert_eq!(total(&[(450, 2), (250, 1)]), 1150);
}

#[test]
fn rounds_the_discount_down() {
    assert_eq!(discount(999, 10), Ok(900));
}

#[test]
fn refuses_more_than_all() {
    assert!(discount(1000, 101).is_err());
}
`;

/** A package of Cargo with tests beside its sources. */
export const crate: Project = {
  language: "rust",
  sources: ["src"],
  exam: ["cargo", "test", "--offline"],
  passed: /^test (\S+) \.\.\. ok$/gm,
  files: {
    "README.md": "# till\n\nPrices.\n",
    ".gitignore": "target/\n",
    "Cargo.toml": '[package]\nname = "till"\nversion = "0.1.0"\nedition = "2021"\n',
    "Cargo.lock": 'version = 4\n\n[[package]]\nname = "till"\nversion = "0.1.0"\n',
    "src/lib.rs": CRATE_PRICE,
    "tests/price.rs": CRATE_TEST,
    ".signalbox/config.yaml": config({ build: "cargo build --offline", test: "cargo test --offline" }),
  },
};

/** One of its tests is red. */
export const owing: Project = {
  ...crate,
  files: {
    ...crate.files,
    "src/lib.rs": `${CRATE_PRICE}
pub fn tax(cents: i64, percent: i64) -> i64 {
    cents * percent / 100
}
`,
    "tests/tax.rs": `use till::tax;

#[test]
fn tax_is_a_share_of_the_price() {
    assert_eq!(tax(1000, 19), 190);
}

#[test]
fn tax_is_rounded_to_the_nearest_cent() {
    assert_eq!(tax(999, 19), 190);
}
`,
  },
};

const GO_PRICE = `package till

import "errors"

type Item struct{ Cents, Count int }

func Total(items []Item) int {
	sum := 0
	for _, item := range items {
		sum += item.Cents * item.Count
	}
	return sum
}

func Discount(cents, percent int) (int, error) {
	if percent < 0 || percent > 100 {
		return 0, errors.New("percent must lie between 0 and 100")
	}
	return cents - cents*percent/100, nil
}
`;

const GO_TEST = `package till

import (
	"os"
	"strconv"
	"strings"
	"testing"

	"till/check"
)

func TestTotalByCount(t *testing.T) {
	check.Equal(t, Total([]Item{{450, 2}, {250, 1}}), 1150)
}

func TestDiscountIsRoundedDown(t *testing.T) {
	left, _ := Discount(999, 10)
	check.Equal(t, left, 900)
}

func TestDiscountOfMoreThanAll(t *testing.T) {
	if _, err := Discount(1000, 101); err == nil {
		t.Fatal("no error")
	}
}

func TestGoldenDiscounts(t *testing.T) {
	golden, err := os.ReadFile("testdata/discounts.golden")
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range strings.Split(strings.TrimSpace(string(golden)), "\\n") {
		fields := strings.Fields(line)
		cents, _ := strconv.Atoi(fields[0])
		want, _ := strconv.Atoi(fields[1])
		left, _ := Discount(cents, 10)
		check.Equal(t, left, want)
	}
}
`;

const GO_CHECK = `package check

import "testing"

func Equal(t *testing.T, got, want int) {
	t.Helper()
	if got != want {
		t.Fatalf("got %d, want %d", got, want)
	}
}
`;

/** A module of Go with a package that only tests import, and a golden file. */
export const gopher: Project = {
  language: "go",
  sources: ["price.go", "tax.go"],
  exam: ["go", "test", "-v", "./..."],
  passed: /^ *--- PASS: (\S+)/gm,
  files: {
    "README.md": "# till\n\nPrices.\n",
    "go.mod": "module till\n\ngo 1.19\n",
    "price.go": GO_PRICE,
    "price_test.go": GO_TEST,
    "check/check.go": GO_CHECK,
    "testdata/discounts.golden": "1000 900\n999 900\n",
    ".signalbox/config.yaml": config({ build: "go build ./...", test: "go test ./..." }),
  },
};

/** One of its tests is red. */
export const indebted: Project = {
  ...gopher,
  files: {
    ...gopher.files,
    "tax.go": "package till\n\nfunc Tax(cents, percent int) int { return cents * percent / 100 }\n",
    "tax_test.go": `package till

import "testing"

func TestTaxIsAShare(t *testing.T) {
	if got := Tax(1000, 19); got != 190 {
		t.Fatalf("got %d", got)
	}
}

func TestTaxIsRoundedToTheNearestCent(t *testing.T) {
	if got := Tax(999, 19); got != 190 {
		t.Fatalf("got %d", got)
	}
}
`,
  },
};

const C_MAKEFILE = `CC = cc
CFLAGS = -std=c11 -O1 -Wall -Werror

build/tests: src/fee.c src/fee.h tests/fee_test.c
	mkdir -p build
	$(CC) $(CFLAGS) -o $@ src/fee.c tests/fee_test.c

test: build/tests
	./build/tests

.PHONY: test
`;

/** C with the assertions of the system, compiled with warnings as errors. */
export const cfee: Project = {
  language: "c",
  sources: ["src"],
  exam: ["make", "-k", "test"],
  passed: /^ok - (.+)$/gm,
  files: {
    "README.md": "# till\n\nFees.\n",
    ".gitignore": "build/\n",
    Makefile: C_MAKEFILE,
    "src/fee.h": "#pragma once\n\nlong fee(long cents);\nlong discount(long cents, long percent);\n",
    "src/fee.c": `#include "fee.h"

long fee(long cents) { return cents / 10; }

long discount(long cents, long percent) { return cents - cents * percent / 100; }
`,
    "tests/fee_test.c": `#include <assert.h>
#include <stdio.h>

#include "../src/fee.h"

static void test_fee(void) {
  assert(fee(200) == 20);
  puts("ok - a fee is a tenth");
}

static void test_discount(void) {
  assert(discount(1000, 10) == 900);
  assert(discount(999, 10) == 900);
  puts("ok - a discount is rounded down");
}

int main(void) {
  setvbuf(stdout, 0, _IONBF, 0);
  test_fee();
  test_discount();
  return 0;
}
`,
    ".signalbox/config.yaml": config({ test: "make test" }),
  },
};

/** C++ with a red test. */
export const lacking: Project = {
  ...cpp,
  files: {
    ...cpp.files,
    "src/till.hpp": `${cpp.files["src/till.hpp"]}long tax(long cents, long percent);\n`,
    "src/price.cpp": `${cpp.files["src/price.cpp"]}
long tax(long cents, long percent) { return cents * percent / 100; }
`,
    "tests/text_test.cpp": `${cpp.files["tests/text_test.cpp"]}`.replace(
      "void text_tests() {\n",
      `void text_tests() {
  test("tax is a share of the price", [] { CHECK(tax(1000, 19) == 190); });
  test("tax is rounded to the nearest cent", [] { CHECK(tax(999, 19) == 190); });
`,
    ),
  },
};
