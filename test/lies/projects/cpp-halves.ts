import { cpp } from "./cpp.ts";
import { config, type Files, type Project } from "./project.ts";

const textOf = (path: string): string => cpp.files[path] ?? "";
const makefile = (from: string, to: string): string => textOf("Makefile").replace(from, to);

/** All of these take a fee, and differ in what decides how much: a file of which its name or place says something else. */
const project = (files: Files, more: Partial<Project> = {}): Project => ({
  ...cpp,
  files: {
    ...cpp.files,
    Makefile: makefile("src/text.cpp\n", "src/text.cpp src/fee.cpp\n"),
    "src/till.hpp": `${textOf("src/till.hpp")}long fee(long cents);\n`,
    "src/fee.cpp": '#include "till.hpp"\n\nlong fee(long cents) { return cents / SHARE; }\n',
    "tests/price_test.cpp": textOf("tests/price_test.cpp").replace(
      "void price_tests() {\n",
      'void price_tests() {\n  test("a fee is a tenth", [] { CHECK(fee(200) == 20); });\n',
    ),
    ...files,
  },
  ...more,
});

/** A script builds, another one tests. */
export const scripted = project(
  {
    "build.sh": `set -e
mkdir -p build
for name in price text fee; do g++ -std=c++17 -O0 -DSHARE=10 -c -o build/$name.o src/$name.cpp; done
`,
    "run_tests.sh": `set -e
sh build.sh
g++ -std=c++17 -O0 -o build/tests tests/*.cpp build/*.o
./build/tests
`,
    ".signalbox/config.yaml": config({ test: "sh run_tests.sh" }),
  },
  { sources: ["src", "build.sh"], exam: ["sh", "run_tests.sh"] },
);

/** The settings of the build stand in a file of their own. */
export const configured = project(
  {
    Makefile: `include config.mk\n${makefile("src/text.cpp\n", "src/text.cpp src/fee.cpp\n").replace("-O0", "-O0 $(FLAGS)")}`,
    "config.mk": "FLAGS = -DSHARE=10\n",
  },
  { sources: ["src", "config.mk"] },
);

/** Every source that is there is built. */
export const gleaned = project({
  Makefile: makefile("src/price.cpp src/text.cpp\n", "$(wildcard src/*.cpp)\n"),
  "src/fee.cpp": '#include "till.hpp"\n\nlong share = 10;\n\nlong fee(long cents) { return cents / share; }\n',
});

/** A source of the product is named as tests are. */
export const hitting = project({
  Makefile: makefile("src/text.cpp\n", "src/text.cpp src/fee.cpp src/hit_test.cpp\n"),
  "src/fee.cpp": '#include "till.hpp"\n\nlong share();\n\nlong fee(long cents) { return cents / share(); }\n',
  "src/hit_test.cpp": "long share() { return 10; }\n",
});
