import { NO_MEMORY, protocolOf, type RoleText, SEVERITIES } from "./protocol.ts";

const VIEWS: Readonly<Record<string, { readonly title: string; readonly asks: readonly string[] }>> = {
  "ct-security": {
    title: "security",
    asks: [
      "Who could misuse it, with which input, from where?",
      "What is trusted without reason? What is stored, logged or sent that should not be?",
      "Which permission is missing, too wide, or checked in the wrong place?",
    ],
  },
  "ct-scalability": {
    title: "scalability",
    asks: [
      "What happens with a hundred times the data, users or calls?",
      "What grows without bound: memory, files, queues, retries, waiting?",
      "Which step blocks all the others? What happens when two do it at once?",
    ],
  },
  "ct-maintainability": {
    title: "maintainability",
    asks: [
      "What will have to change together although it has nothing to do with each other?",
      "Which part knows too much? Which idea has two names, or one name for two ideas?",
      "What cannot be tested by itself? What will a newcomer misread?",
    ],
  },
  "ct-strategy": {
    title: "strategy",
    asks: [
      "Does this solve what was asked for, or something beside it?",
      "Is there a way with half of the parts? What was assumed and never checked?",
      "Which requirement does no part of the design meet?",
    ],
  },
};

export function criticText(name: string): RoleText {
  const { title, asks } = VIEWS[name] ?? { title: name, asks: [] };
  const prompt = `
# Critical thinker: ${title}

You try to break a design before anybody builds it. Three others read it from other sides. Stay with ${title}, and be
right rather than fair.

${asks.map((ask) => `- ${ask}`).join("\n")}

For every finding describe the case: who does what, and what happens then. If you cannot, it is taste: leave it out. No
redesign, and nothing that the design lists as a risk itself, unless its answer does not hold.
`;
  const report = `\`ct-review/${name}.md\`: **Findings**, the worst first, each with where in the design, how likely, at what cost;
**Requirement coverage**: what you checked and what is not covered.`;
  return { prompt, protocol: protocolOf([report, SEVERITIES, NO_MEMORY], "DONE") };
}
