import { expect, test } from "vitest";
import { formatLedgerCommit } from "./commit-message.ts";

const given = {
  request: "People who are logged in should be greeted by the name that they gave when they signed up, in capitals.",
  spec: { feature_name: "Greet people by name" },
  tasks: [
    { id: "greet", title: "Greet in capitals on demand" },
    { id: "docs", title: "docs" },
  ],
  confidence: "medium",
  issues: [{ severity: "minor", message: "greeting\ntwice is   possible" }],
  folder: "docs/feature/greet",
} as const;

test("the subject has the change, the body the reason, the tasks, the known issues and the evidence folder", () => {
  expect(formatLedgerCommit(given)).toBe(`feat: greet people by name

People who are logged in should be greeted by the name that they gave
when they signed up, in capitals.

- greet: Greet in capitals on demand
- docs

Known issues:
- minor: greeting twice is possible

Confidence medium. Requirements, reviews and evidence:
docs/feature/greet/

Co-authored-by: pipeline`);
});

test.each([
  ["fix", [{ id: "a", title: "a", kind: "fix" }], "fix: greet people by name"],
  ["docs", [{ id: "a", title: "a", kind: "docs" }], "docs: greet people by name"],
  [
    "feature among others",
    [
      { id: "a", title: "a", kind: "fix" },
      { id: "b", title: "b", kind: "feature" },
    ],
    "feat: greet people by name",
  ],
] as const)("the type is the kind of work: %s", (_kind, tasks, subject) => {
  expect(formatLedgerCommit({ ...given, tasks }).split("\n")[0]).toBe(subject);
});

test("without its own title the subject is the request, cut to one line", () => {
  const [subject = ""] = formatLedgerCommit({ ...given, spec: {} }).split("\n");
  expect(subject).toBe("feat: people who are logged in should be greeted by the name that they…");
  expect(subject.length).toBeLessThanOrEqual(72);
});

test("a name at the start keeps its capital letter", () => {
  expect(formatLedgerCommit({ ...given, spec: { feature_name: "HTTP greetings" } })).toMatch(/^feat: HTTP greetings\n/);
});

test("a request that equals the subject is not repeated", () => {
  expect(formatLedgerCommit({ ...given, request: "greet people by name" })).toMatch(
    /^feat: greet people by name\n\n- greet: /,
  );
});
