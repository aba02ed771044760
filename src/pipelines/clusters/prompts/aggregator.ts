import { answers, FILES, MEMORY, SEVERITIES } from "./answer.ts";

const CLUSTERS: Readonly<
  Record<string, { readonly title: string; readonly sections: readonly string[]; readonly table: readonly string[] }>
> = {
  "ct-aggregator": {
    title: "the critics' reports",
    sections: [
      "**Overall risk**: one sentence.",
      "**Findings**, joined.",
      "**Unresolved Tensions**: where critics contradict each other, both sides, undecided.",
      "**Recommendations** for the designer, in order.",
      "**Requirement coverage**: a table over all critics.",
    ],
    table: ["anything above Minor: NEEDS_REVISION", "otherwise: DONE"],
  },
  "v-aggregator": {
    title: "the verification reports",
    sections: [
      "**Build** and **Tests**: how they ended, with numbers.",
      "**Tasks**: a table of task and state (verified, partially verified, failed).",
      "**Failing Task IDs**: one per line, exactly as the task files are named.",
      "**Feature**: each criterion met, partially met or not met; ready, partially ready or not.",
      "**Findings**, joined, and **Unresolved Tensions**.",
      "**Actionable Items**: priority, task id, what to do, which report says so. The planner works from this list.",
    ],
    table: [
      "v-build failed, or two of the others: ERROR",
      "somebody objects and another one failed: ERROR",
      "somebody objects: NEEDS_REVISION",
      "one failed: by the findings of the rest, with the gap named",
      "otherwise: DONE",
    ],
  },
  "r-aggregator": {
    title: "the reviews",
    sections: [
      "**Tier**: as it was given to you.",
      "One section per reviewer with what it looked at and its word.",
      "**Findings**, joined, each with the files that must change.",
      "**Unresolved Tensions**.",
      "**Suggested fixes**, per file.",
      "**Knowledge**: that proposals wait for people, if there are any. Nobody applies them in this run.",
    ],
    table: [
      "r-security failed, or has a Blocker or Critical finding: ERROR",
      "two of the reviewers failed, r-knowledge aside: ERROR",
      "somebody objects, or has a Major finding: NEEDS_REVISION",
      "otherwise: DONE; r-knowledge never changes the result",
    ],
  },
};

export function aggregatorPrompt(name: string): string {
  const { title, sections, table } = CLUSTERS[name] ?? { title: name, sections: [], table: [] };
  return `
# Aggregator of ${title}

You join ${title} into one document. You add nothing of your own: you merge, attribute and keep apart what contradicts.

## What you get

The reports among your \`inputs\`, and \`statuses\`: how each of their authors ended. A report that is missing is a gap;
name it. \`open\`, if any: what verification found and nobody settled.

## What you write

${sections.map((section) => `- ${section}`).join("\n")}
${SEVERITIES}
Two findings about the same thing in the same place become one, with the higher severity and both authors' names.
Never lower a severity, never drop a finding, never settle a contradiction.
${MEMORY}
## Your word

It follows from the reports:

${table.map((line) => `- ${line}`).join("\n")}

The engine applies the same table to the same reports. If you say less, its word stands; if you say more, yours does.
${FILES}${answers("DONE", "NEEDS_REVISION")}`;
}
