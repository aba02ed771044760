import { CI, config, type Project } from "./project.ts";

const MAKEFILE = `CXX = g++
SOURCES = src/price.cpp src/text.cpp
TESTS = tests/main.cpp tests/price_test.cpp tests/text_test.cpp

build/tests: $(SOURCES) $(TESTS) tests/check.hpp src/till.hpp
	mkdir -p build
	$(CXX) -std=c++17 -O0 -o $@ $(SOURCES) $(TESTS)

build: build/tests

test: build/tests
	./build/tests

.PHONY: build test
`;

const HEADER = `#pragma once
#include <initializer_list>

struct Item {
  long cents;
  long count = 1;
};

struct Text {
  char chars[64] = "";
  bool operator==(const char* other) const { return __builtin_strcmp(chars, other) == 0; }
};

struct OutOfRange {};

long total(std::initializer_list<Item> items);
long discount(long cents, long percent);
Text money(long cents);
Text slug(const char* text);
`;

const PRICE = `#include "till.hpp"

long total(std::initializer_list<Item> items) {
  long sum = 0;
  for (const Item& item : items) sum += item.cents * item.count;
  return sum;
}

long discount(long cents, long percent) {
  if (percent < 0 || percent > 100) throw OutOfRange();
  return cents - cents * percent / 100;
}
`;

const TEXT = `#include "till.hpp"

#include <cctype>
#include <cstdio>

Text money(long cents) {
  Text made;
  std::snprintf(made.chars, sizeof made.chars, "%ld.%02ld EUR", cents / 100, cents % 100);
  return made;
}

Text slug(const char* text) {
  Text made;
  int size = 0;
  for (; *text; ++text) {
    unsigned char c = *text;
    if (std::isalnum(c)) made.chars[size++] = static_cast<char>(std::tolower(c));
    else if (size > 0 && made.chars[size - 1] != '-') made.chars[size++] = '-';
  }
  if (size > 0 && made.chars[size - 1] == '-') size -= 1;
  made.chars[size] = 0;
  return made;
}
`;

/** Without the heavier headers of the library: everything here is compiled many times. */
const CHECK = `#pragma once
#include <cstdio>

extern int failed;

struct Failure {
  const char* what;
};

#define CHECK(condition) \\
  if (!(condition)) throw Failure{#condition}

template <typename Body>
void test(const char* name, Body body) {
  try {
    body();
    std::printf("ok - %s\\n", name);
  } catch (const Failure& failure) {
    failed += 1;
    std::printf("not ok - %s: %s\\n", name, failure.what);
  } catch (...) {
    failed += 1;
    std::printf("not ok - %s: unexpected\\n", name);
  }
}
`;

const MAIN = `#include "check.hpp"

int failed = 0;

void price_tests();
void text_tests();

int main() {
  price_tests();
  text_tests();
  return failed == 0 ? 0 : 1;
}
`;

const PRICE_TEST = `#include "../src/till.hpp"
#include "check.hpp"

void price_tests() {
  test("adds prices by count", [] { CHECK(total({{450, 2}, {250}}) == 1150); });
  test("an empty basket costs nothing", [] { CHECK(total({}) == 0); });
  test("takes a percentage off", [] { CHECK(discount(1000, 10) == 900); });
  test("rounds the discount down", [] { CHECK(discount(999, 10) == 900); });
  test("refuses more than all", [] {
    bool refused = false;
    try {
      discount(1000, 101);
    } catch (const OutOfRange&) {
      refused = true;
    }
    CHECK(refused);
  });
}
`;

const TEXT_TEST = `#include "../src/till.hpp"
#include "check.hpp"

struct Case {
  const char* text;
  const char* expected;
};

static const Case CASES[] = {
    {"Green Tea", "green-tea"},
    {"  Salt & Pepper! ", "salt-pepper"},
    {"snake_case", "snake-case"},
};

void text_tests() {
  for (const Case& each : CASES) {
    test(each.text, [&] { CHECK(slug(each.text) == each.expected); });
  }
  test("money has two digits", [] {
    CHECK(money(5) == "0.05 EUR");
    CHECK(money(1230) == "12.30 EUR");
  });
}
`;

export const cpp: Project = {
  language: "cpp",
  sources: ["src"],
  exam: ["make", "-k", "test"],
  passed: /^ok - (.+)$/gm,
  files: {
    "README.md": "# till\n\nPrices and names for addresses.\n",
    ".gitignore": "build/\n",
    Makefile: MAKEFILE,
    "src/till.hpp": HEADER,
    "src/price.cpp": PRICE,
    "src/text.cpp": TEXT,
    "tests/check.hpp": CHECK,
    "tests/main.cpp": MAIN,
    "tests/price_test.cpp": PRICE_TEST,
    "tests/text_test.cpp": TEXT_TEST,
    ".github/workflows/ci.yml": CI("make test"),
    ".signalbox/config.yaml": config({ build: "make build", test: "make test" }),
  },
};

/** One command builds and tests, and neither its name nor its line says so. */
export const whole: Project = {
  ...cpp,
  files: {
    ...cpp.files,
    Makefile: MAKEFILE.replace("build/tests:", "all: test\n\nbuild/tests:"),
    ".signalbox/config.yaml": config({ all: "make" }),
  },
};

/** The recipe starts the tests by way of a script. */
export const recipe: Project = {
  ...cpp,
  files: {
    ...cpp.files,
    Makefile: MAKEFILE.replace("\t./build/tests\n", "\tsh tools/timed.sh ./build/tests\n"),
    "tools/timed.sh": '#!/bin/sh\ndate\n"$@" || exit 1\ndate\n',
  },
};

const besideOf = (text: string): string =>
  text.replaceAll("tests/", "unit/").replaceAll("build/unit/", "build/tests/").replaceAll("build/tests", "build/all");

/** Tests bear the name of tests and lie in a folder of another name. */
export const beside: Project = {
  ...cpp,
  files: Object.fromEntries(
    Object.entries(cpp.files).map(([path, text]) => [path.replace("tests/", "unit/"), besideOf(text)]),
  ),
};

const headersOf = (text: string): string =>
  text.replace('#include "check.hpp"', '#include "../third_party/check/check.hpp"');

/** What the tests check with lies among other people's sources. */
export const headers: Project = {
  ...cpp,
  files: Object.fromEntries(
    Object.entries(cpp.files).map(([path, text]) => [
      path.replace("tests/check.hpp", "third_party/check/check.hpp"),
      headersOf(text).replaceAll("tests/check.hpp", "third_party/check/check.hpp"),
    ]),
  ),
};
