import type { Ecosystem } from "./ecosystem.ts";

/** Seen often, and nothing is proposed for it: file → what it is. */
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

export const strangers = {
  marks: Object.keys(STRANGERS),
  /** What a mark stands for, in words. */
  says: (mark: string): string => `${mark} (${STRANGERS[mark] ?? mark}): no check is known for it; configure its lines`,
} satisfies Pick<Ecosystem, "marks"> & { says(mark: string): string };
