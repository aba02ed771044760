import { broughtBy } from "./brought-by.ts";

/** One part of a set-up that prepares several things by turns, and the folders that it brings. */
export type SetupPart = { readonly run: string; readonly brings: readonly string[] };

/**
 * A line such as `npm ci && python3 -m venv .venv && .venv/bin/pip install x`, part by part; what brings nothing of its
 * own goes with the part before it. Empty where it cannot be told apart, or is one thing.
 */
export function setupParts(line: string): readonly SetupPart[] {
  const parts: SetupPart[] = [];
  for (const piece of piecesOf(line)) {
    const brings = broughtBy(piece.replace(/^\(|\)$/g, ""));
    const last = parts.at(-1);
    if (brings.length > 0) parts.push({ run: piece, brings });
    else if (last) parts[parts.length - 1] = { ...last, run: `${last.run} && ${piece}` };
    else return [];
  }
  return parts.length > 1 ? parts : [];
}

/** Whether a check could do without a part: only where each of its programs is known to live elsewhere. */
export function needsPart(line: string, { brings }: SetupPart): boolean {
  const homes = piecesOf(line).map((piece) => HOMES.find(([program]) => program.test(piece))?.[1]);
  return homes.length === 0 || homes.some((home) => home === undefined || brings.includes(home));
}

const HOMES: readonly (readonly [RegExp, string])[] = [
  [/^(?:npm|npx|pnpm|yarn|bun|bunx|(?:\.\/)?node_modules\/\S+)(?:\s|$)/, "node_modules"],
  [/^(?:(?:\.\/)?\.venv\/\S+|uv|poetry|pdm)(?:\s|$)/, ".venv"],
  [/^(?:composer|(?:\.\/)?vendor\/\S+)(?:\s|$)/, "vendor"],
];

/** Quoted and bracketed texts are one; what is left of a quote or a bracket has no other end. */
const TOKEN = /"[^"]*"|'[^']*'|\((?:[^()]|\([^()]*\))*\)|&&|[;|&\n"'()]|[^"'()&;|\n]+/g;

/** Of a line that is nothing but one thing after the other; empty where a shell would read more into it. */
function piecesOf(line: string): readonly string[] {
  const tokens = line.match(TOKEN) ?? [];
  if (tokens.some((token) => /^[;|&\n"'()]$/.test(token))) return [];
  const pieces = [""];
  for (const token of tokens) {
    if (token === "&&") pieces.push("");
    else pieces.push(`${pieces.pop()}${token}`);
  }
  return pieces.map((piece) => piece.trim());
}
