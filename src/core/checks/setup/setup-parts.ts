import { listCreatedFolders } from "./created-folders.ts";

/** Part of a set-up that prepares several things in turn, with the folders that it creates. */
export type SetupPart = { readonly run: string; readonly brings: readonly string[] };

/**
 * Splits a line such as `npm ci && python3 -m venv .venv && .venv/bin/pip install x` into its parts. A part that
 * creates nothing belongs to the previous one. Empty if the line cannot be split, or is one part.
 */
export function splitSetup(line: string): readonly SetupPart[] {
  const parts: SetupPart[] = [];
  for (const piece of splitSequentialLine(line)) {
    const brings = listCreatedFolders(piece.replace(/^\(|\)$/g, ""));
    const last = parts.at(-1);
    if (brings.length > 0) parts.push({ run: piece, brings });
    else if (last) parts[parts.length - 1] = { ...last, run: `${last.run} && ${piece}` };
    else return [];
  }
  return parts.length > 1 ? parts : [];
}

/** Returns whether a check needs a part: unless each of its programs is known to come from another part. */
export function isPartNeeded(line: string, { brings }: SetupPart): boolean {
  const homes = splitSequentialLine(line).map((piece) => HOMES.find(([program]) => program.test(piece))?.[1]);
  return homes.length === 0 || homes.some((home) => home === undefined || brings.includes(home));
}

const HOMES: readonly (readonly [RegExp, string])[] = [
  [/^(?:npm|npx|pnpm|yarn|bun|bunx|(?:\.\/)?node_modules\/\S+)(?:\s|$)/, "node_modules"],
  [/^(?:(?:\.\/)?\.venv\/\S+|uv|poetry|pdm)(?:\s|$)/, ".venv"],
  [/^(?:composer|(?:\.\/)?vendor\/\S+)(?:\s|$)/, "vendor"],
];

/** Quoted and bracketed texts are one token; a single remaining quote or bracket is unbalanced. */
const TOKEN = /"[^"]*"|'[^']*'|\((?:[^()]|\([^()]*\))*\)|&&|[;|&\n"'()]|[^"'()&;|\n]+/g;

/** Splits a purely sequential line into its pieces. Empty if a shell would interpret more of it. */
function splitSequentialLine(line: string): readonly string[] {
  const tokens = line.match(TOKEN) ?? [];
  if (tokens.some((token) => /^[;|&\n"'()]$/.test(token))) return [];
  const pieces = [""];
  for (const token of tokens) {
    if (token === "&&") pieces.push("");
    else pieces.push(`${pieces.pop()}${token}`);
  }
  return pieces.map((piece) => piece.trim());
}
