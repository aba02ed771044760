import { MEMORY, protocolOf, type RoleText, SEVERITIES } from "./protocol.ts";

type Cluster = { readonly title: string; readonly sections: string; readonly table: string };

const CLUSTERS: Readonly<Record<string, Cluster>> = {
  "ct-aggregator": {
    title: "the critics' reports",
    sections: `\`design_critical_review.md\`: **Overall risk**; **Findings**, joined; **Unresolved Tensions**: both sides, undecided;
**Recommendations** for the designer, in order; **Requirement coverage** over all critics.`,
    table: "anything above Minor is NEEDS_REVISION, otherwise DONE",
  },
  "v-aggregator": {
    title: "the verification reports",
    sections: `\`verifier.md\`: **Build** and **Tests** with numbers; **Tasks**: a table of task and state; **Failing Task IDs**: one per line,
as the task files are named; **Feature**: each criterion; **Findings**, joined; **Unresolved Tensions**; **Actionable
Items**: priority, task id, what to do, which report says so. The planner works from that list.`,
    table: `v-build failed, or two of the others: ERROR; somebody objects and another one failed: ERROR; somebody objects:
NEEDS_REVISION; one failed: by the findings of the rest, with the gap named; otherwise DONE`,
  },
  "r-aggregator": {
    title: "the reviews",
    sections: `\`review.md\`: **Tier**; one section per reviewer with its word; **Findings**, joined, each with the files that must change;
**Unresolved Tensions**; **Suggested fixes** per file; **Knowledge**: that proposals wait for people, if there are any.`,
    table: `r-security failed, or has a Blocker or Critical finding: ERROR; two of the reviewers failed, r-knowledge aside: ERROR;
somebody objects or has a Major finding: NEEDS_REVISION; otherwise DONE; r-knowledge never changes the result`,
  },
};

export function aggregatorText(name: string): RoleText {
  const { title, sections, table } = CLUSTERS[name] ?? { title: name, sections: "", table: "" };
  const prompt = `
# Aggregator of ${title}

You join ${title} into one document. You add nothing of your own: you merge, attribute and keep apart what contradicts.
Two findings about the same thing in the same place become one, with the higher severity and both names. Never lower a
severity, drop a finding or settle a contradiction.
`;
  const word = `\`statuses\` is how each author ended; a missing report is a gap: name it. \`open\`: what verification left. Your word follows from the reports:
${table}. The engine applies the same table: if you say less, its word stands; if you say more, yours does.`;
  return { prompt, protocol: protocolOf([sections, word, SEVERITIES, MEMORY], "DONE", "NEEDS_REVISION") };
}
