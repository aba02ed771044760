import { describe, expect, it } from "vitest";
import { computeJaccard, Fact, findSimilarFact } from "./repo-memory.ts";

const fact = {
  subject: "Build",
  fact: "The build runs in two steps and needs Node 24",
  citations: ["package.json:12"],
  reason: "Whoever changes the build must know",
  category: "tooling",
};

describe("facts for later runs", () => {
  it.each(["subject", "fact", "citations", "reason", "category"])("[P-43] without %s are not stored", (field) => {
    expect(Fact.safeParse(fact).success).toBe(true);
    expect(Fact.safeParse({ ...fact, [field]: undefined }).success).toBe(false);
    expect(Fact.safeParse({ ...fact, [field]: field === "citations" ? [] : " " }).success).toBe(false);
  });

  it("[P-43] are similar if they share most words, from 0.85 up", () => {
    const stored = [{ text: "", fact }];
    const words = Array.from({ length: 20 }, (_, at) => `w${at}`);
    const like = (shared: number) => ({ ...fact, subject: "s", fact: words.slice(0, shared).join(" ") });
    const all = [{ text: "", fact: like(20) }];
    expect(findSimilarFact({ ...fact, reason: "other" }, stored, 0.85)?.fact).toEqual(fact);
    expect(findSimilarFact({ ...fact, fact: "Tests are in test/" }, stored, 0.85)).toBeUndefined();
    // 18 of 21 words are 0.857, 17 of 21 are 0.81; `s` is one of them.
    expect(findSimilarFact(like(17), all, 0.85)).toBeDefined();
    expect(findSimilarFact(like(16), all, 0.85)).toBeUndefined();
  });

  it("similarity compares sets of words", () => {
    expect(computeJaccard(new Set(["a", "b"]), new Set(["b", "c"]))).toBeCloseTo(1 / 3);
    expect(computeJaccard(new Set(), new Set())).toBe(0);
  });
});
