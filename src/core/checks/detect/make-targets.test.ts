import { expect, test } from "vitest";
import { parseMakeTargets } from "./make-targets.ts";

const MAKEFILE = `GO := go
FLAGS = a:b
URL ::= x
.PHONY: test build
# test: nothing
test unit: build lint
\t@$(GO) test \\
\t  ./...

\t-echo done
build: ; go build
%.o: %.c
\tcc $<
all:: test
VAR = 1
\techo belongs to nobody
`;

test("a Makefile's targets come with their recipes", () => {
  expect([...parseMakeTargets(MAKEFILE)]).toEqual([
    ["test", { needs: ["build", "lint"], recipe: ["@$(GO) test  ./...", "-echo done"] }],
    ["unit", { needs: ["build", "lint"], recipe: ["@$(GO) test  ./...", "-echo done"] }],
    ["build", { needs: [], recipe: ["go build"] }],
    ["all", { needs: ["test"], recipe: [] }],
  ]);
});

test("a target in two places is one, and a line that never ends is kept", () => {
  expect([...parseMakeTargets("a: b\na:\n\tx \\")]).toEqual([["a", { needs: ["b"], recipe: ["x"] }]]);
  expect(parseMakeTargets("").size).toBe(0);
});
