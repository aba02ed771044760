/** What every agent of this pipeline is told about its files, the memory and its last line. */
export const FILES = `
## Your files

- \`inputs\` lists what you read, path by path. \`initial-request.md\` is what a person asked for; \`memory.md\` is what
  agents before you decided and learned. If one of the others is missing, do not guess what it would say.
- \`outputs\` lists what you leave behind. Write exactly these files. Anything else that you change is thrown away and
  noted as a violation; \`memory.md\` is written by the engine alone.
- An output that is missing or empty counts as a failure, whatever you say about it.
`;

export const MEMORY = `
## What you hand over

End your document with a section \`## Memory\`: a list of the decisions that later agents must know, one sentence each,
at most five. For a problem that you met and solved write \`problem → solution\`; such lines are kept to the end.
`;

const SAYS = {
  DONE: "`DONE: …` when your outputs are complete, with a summary of one sentence.",
  NEEDS_REVISION: "`NEEDS_REVISION: …` when the work that you looked at must change, with the main reason.",
  ERROR:
    "`ERROR: …` when you could not do your part, with the reason. Begin the reason with `missing input` if a file that\n" +
    "  you need is not there, or with `red build` if nothing can be done before it builds: then nobody tries again.",
} as const;

export function answers(...may: readonly (keyof typeof SAYS)[]): string {
  const lines = [...may, "ERROR" as const].map((word) => `- ${SAYS[word]}`);
  return `
## How you answer

The last line of your final message is your contract; what stands above it is for people. It says one of:

${lines.join("\n")}

Any other ending counts as an error. Do not quote such lines from build output outside a code block.
`;
}

/** How a report says how bad something is: tables count these words. */
export const SEVERITIES = `
Write each finding as one list item that begins with its severity in brackets and names the files:

    - [Major] The name is used before it is checked, so an empty one crashes (src/greet.js)

The severities are \`Blocker\` (must not go on), \`Critical\` (data, money, access or safety at risk), \`Major\` (must
change) and \`Minor\` (worth knowing). The engine counts them itself: a serious finding in your list outweighs a DONE.
If there is nothing to find, write one sentence that says what you looked at.
`;
