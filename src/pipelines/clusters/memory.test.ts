import { describe, expect, it } from "vitest";
import { cleaned, EMPTY, entriesIn, handedOver, invalidated, learned, memoryText, pruned } from "./memory.ts";
import { findingsIn, readTask } from "./task-files.ts";

const text =
  "# Analysis\n\n## Scope\n\n- not this\n\n## Memory\n\n- use the old parser\n* keep the cache\n\n## Rest\n\n- nor this\n";
const given = handedOver(EMPTY, { by: "spec", step: "2", path: "feature.md", text });

describe("memory", () => {
  it("takes the list below the heading, also at the end of the file", () => {
    expect(entriesIn(text)).toEqual(["use the old parser", "keep the cache"]);
    expect(entriesIn("## Memory\n- last")).toEqual(["last"]);
    expect(entriesIn("nothing")).toEqual([]);
  });

  it("[C-02] has its four sections from the start", () => {
    const titles = [...memoryText(EMPTY).matchAll(/^## (.+)$/gm)].map(([, title]) => title);
    expect(titles).toEqual(["Artifact Index", "Recent Decisions", "Lessons Learned", "Recent Updates"]);
  });

  it("[C-41] writes entries with agent and step, and invalid ones with the reason", () => {
    expect(memoryText(given)).toContain("- [spec, step-2] use the old parser");
    expect(memoryText(invalidated(given, ["2"], "revised"))).toContain(
      "[INVALIDATED — revised] [spec, step-2] use the old parser",
    );
  });

  it("[C-20] pruning drops old decisions and updates, never the index or the lessons", () => {
    const full = learned(given, [{ by: "implementer", step: "5", text: "red → green" }]);
    const left = pruned(full, ["3", "4"]);
    expect([left.decisions, left.updates]).toEqual([[], []]);
    expect([left.artifacts.length, left.lessons.length]).toEqual([1, 1]);
    expect(pruned(full, ["2"]).decisions).toHaveLength(2);
  });

  it("[C-21] removes what is still invalid after the revision", () => {
    const again = handedOver(invalidated(given, ["2"], "revised"), {
      by: "spec",
      step: "2",
      path: "feature.md",
      text: "## Memory\n- new",
    });
    expect(cleaned(again).decisions.map((entry) => entry.text)).toEqual(["new"]);
  });

  it("[C-22] keeps each lesson once", () => {
    const lesson = { by: "implementer", step: "5", text: "red → green" };
    expect(learned(learned(EMPTY, [lesson]), [lesson, { ...lesson, text: "no lesson" }]).lessons).toEqual([lesson]);
  });
});

describe("task files", () => {
  it("are read from their front matter", () => {
    const file = "---\nid: 01-a\nagent: documentation-writer\ndepends_on: [00-z]\nfiles:\n  - docs/a.md\n---\n# A\n";
    expect(readTask("tasks/01-a.md", file)).toEqual({
      task: {
        id: "01-a",
        path: "tasks/01-a.md",
        agent: "documentation-writer",
        depends_on: ["00-z"],
        files: ["docs/a.md"],
      },
      warnings: [],
    });
  });

  it("[C-11] an absent agent is an implementer, an unknown one too, with a warning", () => {
    expect(readTask("tasks/02.md", "# no front matter")).toMatchObject({
      task: { id: "02", agent: "implementer" },
      warnings: [],
    });
    const unknown = readTask("tasks/02.md", "---\nagent: wizard\n---\n");
    expect(unknown.task.agent).toBe("implementer");
    expect(unknown.warnings).toEqual(['tasks/02.md: unknown agent "wizard", implementer is used']);
  });

  it("front matter that is no YAML is a warning, not a crash", () => {
    expect(readTask("tasks/03.md", "---\n: [\n---\n").warnings).toEqual([
      "tasks/03.md: its front matter could not be read",
    ]);
  });

  it("findings are read with their severity on one scale and the files they name", () => {
    expect(findingsIn("- [High] leaks (src/a.ts)\n- [Odd] no\n* [Low] style\n", "r-quality")).toEqual([
      { severity: "major", message: "leaks (src/a.ts)", by: "r-quality", files: ["src/a.ts"] },
      { severity: "minor", message: "style", by: "r-quality" },
    ]);
  });
});
