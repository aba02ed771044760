import { describe, expect, it } from "vitest";
import { progressLine } from "./book.ts";
import { trustOf } from "./docs.ts";
import { mandatesIn, readPrompt, slugOf, ticketsIn, typeOf } from "./request.ts";

describe("a request", () => {
  it("[T-01] names its ticket, or none, or several", () => {
    expect(ticketsIn("ABC-12: fix ABC-12")).toEqual(["ABC-12"]);
    expect(ticketsIn("fix it")).toEqual([]);
    expect(ticketsIn("ABC-12 breaks UTF-8")).toEqual(["ABC-12", "UTF-8"]);
  });

  it("has the type of its first keyword, as a whole word", () => {
    expect(typeOf("Add a bug tracker")).toBe("feature");
    expect(typeOf("The prefix has a bug")).toBe("fix");
    expect(typeOf("Look at it")).toBeUndefined();
  });

  it("[T-34] is clear with a type, a criterion and no vague word", () => {
    expect(readPrompt("ABC-1 Fix the login button.", "ABC-1")).toMatchObject({ type: "fix", slug: "fix_the_login" });
    expect(readPrompt("ABC-1 Maybe fix the login button.", "ABC-1")).toBeUndefined();
    expect(readPrompt("ABC-1 The login button is odd.", "ABC-1")).toBeUndefined();
    expect(readPrompt("ABC-1 fix", "ABC-1")).toBeUndefined();
  });

  it("[T-06] keeps tool mandates word by word", () => {
    expect(mandatesIn("You MUST use Playwright.").map((each) => each.text)).toEqual(["MUST use Playwright"]);
  });

  it("[T-35] gives a mandate to the planner where the sentence is about finding out", () => {
    const agents = mandatesIn("Inspect the page using DevTools. Build it with Vite.").map(
      (each) => each.assigned_agent,
    );
    expect(agents).toEqual(["planner", "developer"]);
  });

  it("[T-36] gets a slug of three words", () => {
    expect(slugOf("ABC-9: Add three small modules")).toBe("add_three_small");
  });
});

describe("the books", () => {
  it("[T-20] show at most 95 percent before acceptance, and no estimate before the first task", () => {
    const line = (done: number, status: "PENDING" | "ACCEPTED" = "PENDING") =>
      progressLine({ status, tasks_total: 4, tasks_completed: done }, 120_000);
    expect(line(0)).toBe("Progress: 0% | Completed: 0/4 tasks | ETA: ~unknown min remaining");
    expect(line(1)).toBe("Progress: 25% | Completed: 1/4 tasks | ETA: ~6 min remaining");
    expect(line(4)).toContain("Progress: 95%");
    expect(line(4, "ACCEPTED")).toContain("Progress: 100%");
  });

  it("[T-32] documents are trusted only when their cache vouches for each of them", () => {
    const cache = (more: string) => ({
      text: `trust_status: trusted\nhashes: { a.md: h1 }\nworkspace_fingerprint: w\n${more}`,
      hash: "c",
    });
    const docs = { "a.md": { text: "a", hash: "h1" } };
    expect(trustOf(cache(""), docs)).toBe("trusted");
    expect(trustOf(cache("refresh_required: true\n"), docs)).toBe("stale");
    expect(trustOf(cache(""), { "a.md": { text: "a", hash: "h2" } })).toBe("stale");
    expect(trustOf(cache(""), { "a.md": null })).toBe("unknown");
    expect(trustOf(null, docs)).toBe("unknown");
  });
});
