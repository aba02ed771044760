import { describe, expect, it } from "vitest";
import { createTicketSlug, detectType, findLeadingTicket, findTickets, parseMandates, readPrompt } from "./request.ts";

describe("a request", () => {
  it("[T-01] names one ticket, none, or several", () => {
    expect(findTickets("ABC-12: fix ABC-12")).toEqual(["ABC-12"]);
    expect(findTickets("fix it, abc-12")).toEqual([]);
    expect(findTickets("ABC-12 breaks DEF-8")).toEqual(["ABC-12", "DEF-8"]);
  });

  it.each([
    "ABC-12: like DEF-8, but for flags",
    "ABC-12 - unlike DEF-8",
    "ABC-12 breaks DEF-8",
    "ABC-12: DEF-8 is broken",
  ])("[T-01] %j is about the ticket at its start", (request) => {
    expect(findLeadingTicket(request)).toBe("ABC-12");
  });

  it.each([
    "ABC-12 and DEF-8: fix both",
    "ABC-12, DEF-8",
    "ABC-12 - DEF-8",
    "Fix ABC-12 as DEF-8",
    "UTF-8: for ABC-12",
  ])("[T-01] %j does not start with a single ticket", (request) => {
    expect(findLeadingTicket(request)).toBeUndefined();
  });

  it("[T-34] keeps the name of another ticket", () => {
    const prompt = readPrompt("ABC-12: Fix the flags as DEF-8 fixed the options.", "ABC-12");
    expect(prompt?.refined_prompt).toBe("Fix the flags as DEF-8 fixed the options.");
    expect(prompt?.success_criteria).toEqual(["Fix the flags as DEF-8 fixed the options."]);
  });

  it.each(["UTF-8", "SHA-256", "ISO-8601", "HTTP-2", "RFC-2119", "CVE-2024"])("[T-01] %s is no ticket id", (name) => {
    expect(findTickets(`Fix the ${name} of ABC-12`)).toEqual(["ABC-12"]);
    expect(readPrompt(`ABC-12: Fix the ${name} of names.`, "ABC-12")?.success_criteria[0]).toContain(name);
  });

  it.each([
    ["fix", "ABC-1 Fix the login", "ABC-1 There is a bug here", "ABC-1 The defect must go"],
    ["feature", "A new feature please", "Add a page here", "implement it now", "create a page"],
    ["chore", "refactor this", "A cleanup of it", "chore: x", "update it", "improve it"],
  ])("[T-34] is a %s by its keywords", (type, ...requests) => {
    expect(requests.map(detectType)).toEqual(requests.map(() => type));
  });

  it("[T-34] has the type of its first keyword, as a whole word", () => {
    expect(detectType("Add a bug tracker")).toBe("feature");
    expect(detectType("The prefix has a bug")).toBe("fix");
    expect(detectType("Look at the constructor")).toBeUndefined();
  });

  it("[T-34] is clear with a type, a criterion and no vague word", () => {
    expect(readPrompt("ABC-1 Fix the login button.", "ABC-1")).toMatchObject({ type: "fix", slug: "fix_the_login" });
    expect(readPrompt("ABC-1 The login button is odd.", "ABC-1")).toBeUndefined();
    expect(readPrompt("ABC-1 fix", "ABC-1")).toBeUndefined();
  });

  const BUG = "ABC-1: Bug: pMap fails with TypeError when it is called with null. Please add tests.";

  it("[T-34] that only describes a failure is not clear: a failure is no criterion", () => {
    expect(readPrompt(BUG, "ABC-1")).toBeUndefined();
    const wish = readPrompt(`${BUG} It should say that an iterable is needed.`, "ABC-1");
    expect(wish?.success_criteria).toEqual(["It should say that an iterable is needed."]);
    expect(
      readPrompt(`${BUG}\nAcceptance criteria:\n- null is refused by name\n- [ ] undefined, too`, "ABC-1"),
    ).toMatchObject({
      type: "fix",
      success_criteria: ["null is refused by name", "undefined, too"],
    });
  });

  it("[T-34] stays a fix if it also asks for tests", () => {
    expect(detectType(BUG)).toBe("fix");
    expect(detectType("ABC-1: pMap throws on null. Please add some unit tests.")).toBeUndefined();
    expect(detectType("ABC-1: Add tests for the parser")).toBe("feature");
  });

  it("[T-35] a description of a failure yields no tool", () => {
    expect(parseMandates(BUG)).toEqual([]);
    expect(parseMandates("Fix what happens with null, with TypeError and with 5 items")).toEqual([]);
    expect(parseMandates("Let a function made with limitFunction() keep its `this`")).toEqual([]);
  });

  it.each(["somewhere", "something", "maybe", "Probably"])("[T-34] with %s in it is not clear", (word) => {
    expect(readPrompt(`ABC-1 Fix the login button ${word}.`, "ABC-1")).toBeUndefined();
  });

  it("[T-06] keeps tool mandates verbatim", () => {
    const said = "You MUST use  Playwright MCP. Build it with `vite build`.";
    const texts = parseMandates(said).map((each) => each.text);
    expect(texts).toEqual(["MUST use  Playwright MCP", "with `vite build`"]);
    for (const text of texts) expect(said).toContain(text);
  });

  it.each([
    ["You MUST use Playwright here", "MUST use Playwright"],
    ["Use pnpm for it", "Use pnpm"],
    ["Build it with Vite", "with Vite"],
    ["Draw it using d3-force", "using d3-force"],
    ["leverage Redis", "leverage Redis"],
    ["integrate with Chrome DevTools", "integrate with Chrome DevTools"],
  ])("[T-35] finds the mandate in: %s", (request, text) => {
    expect(parseMandates(request)).toEqual([{ text, assigned_agent: "developer" }]);
  });

  it("[T-35] assigns each mandate of a sentence to the agent of its own clause", () => {
    const found = parseMandates("MUST use context7 to analyze the docs, and fix it using chrome-devtools");
    expect(found.map((each) => each.assigned_agent)).toEqual(["planner", "developer"]);
    const shared = parseMandates("Inspect the page, using chrome-devtools");
    expect(shared.map((each) => each.assigned_agent)).toEqual(["planner"]);
  });

  it("[T-35] does not read an article as a tool", () => {
    expect(parseMandates("Add a page with a table, and use the new one with its name")).toEqual([]);
  });

  it.each([
    "After a failure the queue goes on with what was there",
    "Use optional chaining only if the engines allow it",
    "Sort them with stable order, using existing names and with case-insensitive keys",
    "Compare it with others, and use them",
    "Leverage lazy loading with e.g. a proxy",
  ])("[T-35] does not read common words as a tool: %s", (request) => {
    expect(parseMandates(request)).toEqual([]);
  });

  it.each([
    ["Use `optional chaining` here", "Use `optional chaining`"],
    ["Search it using ripgrep", "using ripgrep"],
    ["Build it with vite please", "with vite"],
    ["Use pnpm workspaces", "Use pnpm"],
    ["Draw it with chart-js", "with chart-js"],
    ["Parse it with fast-xml.parser and @scope/pkg", "with fast-xml.parser"],
    ["Check it with @axe-core/cli", "with @axe-core/cli"],
    ["You MUST use ripgrep everywhere", "MUST use ripgrep"],
  ])("[T-35] still finds the tool in: %s", (request, text) => {
    expect(parseMandates(request).map((each) => each.text)).toEqual([text]);
  });

  it.each(["analyze", "inspect", "investigate", "research", "diagnose", "see the page"])(
    "[T-35] assigns a mandate to the planner if the sentence says %s",
    (word) => {
      const found = parseMandates(`First ${word} it using DevTools. Build it with Vite.`);
      expect(found.map((each) => each.assigned_agent)).toEqual(["planner", "developer"]);
    },
  );

  it("[T-36] gets a slug of three words in snake case, or is not clear", () => {
    expect(createTicketSlug("ABC-9: Add three small modules")).toBe("add_three_small");
    expect(createTicketSlug("ABC-9: fix it")).toBeUndefined();
  });
});
