import { describe, expect, it } from "vitest";
import {
  addLessons,
  addOutput,
  addUpdate,
  EMPTY,
  formatMemory,
  invalidateEntries,
  parseLessons,
  parseMemoryEntries,
  pruneMemory,
  removeInvalidEntries,
} from "./memory.ts";

const text =
  "# Analysis\n\n## Scope\n\n- not this\n\n## Memory\n\n- use the old parser\n* keep the cache\n\n## Rest\n\n- nor this\n";
const given = addOutput(EMPTY, { by: "spec", step: "2", path: "feature.md", text });
const lesson = { by: "implementer", step: "5", text: "red → green" };

describe("the handed-over list", () => {
  it("is the list below the heading, also at the end of the file", () => {
    expect(parseMemoryEntries(text)).toEqual(["use the old parser", "keep the cache"]);
    expect(parseMemoryEntries("## Memory\n- last")).toEqual(["last"]);
    expect(parseMemoryEntries("nothing")).toEqual([]);
    expect(parseMemoryEntries("```\n## Memory\n- quoted\n```\n")).toEqual([]);
  });

  it("[C-41] carries the engine's mark, not one that the agent wrote", () => {
    expect(
      parseMemoryEntries("## Memory\n- [planner, step-4] use it\n- [INVALIDATED — old] [spec, step-2] and this\n"),
    ).toEqual(["use it", "and this"]);
  });

  it("is a lesson if it says what solved a problem", () => {
    const memory = addOutput(EMPTY, { by: "spec", step: "2", path: "f.md", text: "## Memory\n- a → b\n- c\n" });
    expect(memory.lessons.map((entry) => entry.text)).toEqual(["a → b"]);
    expect(memory.decisions.map((entry) => entry.text)).toEqual(["c"]);
  });

  it("puts the document with its sections into the index, once", () => {
    const again = addOutput(given, { by: "designer", step: "3", path: "feature.md", text: "## New | two\n" });
    expect(again.artifacts).toEqual([{ path: "feature.md", sections: "New / two", by: "designer" }]);
    expect(given.artifacts[0]?.sections).toBe("Scope, Memory, Rest");
  });
});

describe("the file", () => {
  it("[C-02] has its four sections from the start", () => {
    const titles = [...formatMemory(EMPTY).matchAll(/^## (.+)$/gm)].map(([, title]) => title);
    expect(titles).toEqual(["Artifact Index", "Recent Decisions", "Lessons Learned", "Recent Updates"]);
  });

  it("[C-41] has entries with agent and step", () => {
    expect(formatMemory(given)).toContain("- [spec, step-2] use the old parser");
    expect(formatMemory(given)).toContain("- [spec, step-2] Updated `feature.md`");
    expect(formatMemory(addLessons(EMPTY, [lesson]))).toContain("- [implementer, step-5] red → green");
  });

  it("[C-41] marks invalid entries with the reason", () => {
    expect(formatMemory(invalidateEntries(given, ["2"], "revised"))).toContain(
      "- [INVALIDATED — revised] [spec, step-2] use the old parser",
    );
  });
});

describe("pruning and invalidation", () => {
  it("[C-20] pruning drops decisions and updates older than the two last steps", () => {
    const later = addOutput(given, { by: "designer", step: "3", path: "design.md", text: "## Memory\n- d" });
    expect(pruneMemory(later, ["1", "2", "3"]).decisions).toHaveLength(3);
    const left = pruneMemory(later, ["1", "2", "3", "3b"]);
    expect(left.decisions.map((entry) => entry.step)).toEqual(["3"]);
    expect(left.updates.map((entry) => entry.step)).toEqual(["3"]);
  });

  it("[C-20] pruning never touches the index and the lessons", () => {
    const left = pruneMemory(addLessons(given, [lesson]), ["6", "7"]);
    expect([left.artifacts.length, left.lessons.length, left.decisions.length]).toEqual([1, 1, 0]);
  });

  it("[C-21] entries still invalid after the revision are removed, new ones stay", () => {
    const marked = invalidateEntries(given, ["2"], "revised");
    const again = addOutput(marked, { by: "spec", step: "2", path: "feature.md", text: "## Memory\n- new" });
    expect(removeInvalidEntries(again).decisions.map((entry) => entry.text)).toEqual(["new"]);
    expect(removeInvalidEntries(again).updates).toHaveLength(1);
  });

  it("[C-21] entries of other steps are left alone, and the first reason stays", () => {
    const other = invalidateEntries(given, ["3"], "revised");
    expect(other.decisions.every((entry) => entry.invalid === undefined)).toBe(true);
    const twice = invalidateEntries(invalidateEntries(given, ["2"], "first"), ["2"], "second");
    expect(twice.decisions[0]?.invalid).toBe("first");
  });

  it("[C-22] each lesson is kept once, and only lessons are", () => {
    expect(addLessons(addLessons(EMPTY, [lesson]), [lesson, { ...lesson, text: "no lesson" }]).lessons).toEqual([
      lesson,
    ]);
  });

  it("[C-22] lessons are lines, or parts of the last line, outside quoted output", () => {
    expect(parseLessons("- slow → cached\nnothing\n```\nx → y\n```\nred → green; odd -> even")).toEqual([
      "slow → cached",
      "red → green",
      "odd -> even",
    ]);
  });

  it("[C-35] a document gets an index entry and a line with a summary", () => {
    const about = { by: "documentation-writer", step: "5", path: "docs/a.md", sections: "Use", text: "explains it" };
    const memory = addUpdate(EMPTY, about);
    expect(memory.artifacts).toEqual([{ path: "docs/a.md", sections: "Use", by: "documentation-writer" }]);
    expect(memory.updates[0]?.text).toBe("Updated `docs/a.md` — explains it");
  });
});
