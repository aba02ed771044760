/** Who an agent is, which a repository's own definition replaces, and what the engine needs of it, which stays. */
export type RoleText = { readonly prompt: string; readonly protocol: string };

/** What everybody is told about the files that they are given. */
const INPUTS = `\`inputs\` lists what you read: the request with what a person said since, the memory of agents before you, documents.`;

/** For agents that work by themselves: they alone may hand something over. */
export const MEMORY = `End your document with \`## Memory\`: at most five list items of one sentence that later agents must know; a problem that
you solved as \`problem → solution\`.`;

export const NO_MEMORY = "You work beside others: no `## Memory` section.";

/** How a report says how bad something is: tables count these words. */
export const SEVERITIES = `A finding is one list item: \`- [Major] An empty name crashes (src/greet.js)\`. \`Blocker\`: must not go on; \`Critical\`: data,
money, access or safety at risk; \`Major\`: must change; \`Minor\`: worth knowing. The engine counts them: one above Minor
outweighs a DONE. Nothing found: one sentence on what you looked at.`;

/** What it writes and how, its files, and what its last line may say; the form of that line is the engine's to show. */
export function protocolOf(writes: readonly string[], ...may: readonly ("DONE" | "NEEDS_REVISION")[]): string {
  const revises = may.includes("NEEDS_REVISION") ? "NEEDS_REVISION is for work that must change, " : "";
  const word = `${revises}ERROR for what you could not do: it begins with
\`missing input\` or \`red build\` where a second try would meet the same.`;
  return ["## What you write", ...writes, `${INPUTS} ${word}`].join("\n\n");
}
