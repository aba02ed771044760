import type { Ecosystem } from "./ecosystem.ts";

/** Common but unsupported: file → description. */
const STRANGERS: Readonly<Record<string, string>> = {
  "Package.swift": "Swift",
  "mix.exs": "Elixir",
  "build.sbt": "Scala",
  "stack.yaml": "Haskell",
  "*.cabal": "Haskell",
  "pubspec.yaml": "Dart",
  "CMakeLists.txt": "CMake",
  "meson.build": "Meson",
  "configure.ac": "Autotools",
  "MODULE.bazel": "Bazel",
  WORKSPACE: "Bazel",
  "build.zig": "Zig",
  "dune-project": "OCaml",
  "rebar.config": "Erlang",
  "project.clj": "Clojure",
  "Project.toml": "Julia",
  "Taskfile.yml": "Task",
};

/** Reported only if nothing else is found, because others have such files beside their own checks. */
const LONELY: Readonly<Record<string, string>> = {
  "test.sh": "shell",
  "tests.sh": "shell",
  "run-tests.sh": "shell",
  "run_tests.sh": "shell",
  "runtests.sh": "shell",
  "*.bats": "Bats",
};

export const strangers = {
  marks: Object.keys(STRANGERS),
  lonely: Object.keys(LONELY),
  /** Describes a mark. */
  says: (mark: string): string =>
    `${mark} (${STRANGERS[mark] ?? LONELY[mark] ?? mark}): it is not supported; configure its commands`,
} satisfies Pick<Ecosystem, "marks"> & { readonly lonely: readonly string[]; says(mark: string): string };
