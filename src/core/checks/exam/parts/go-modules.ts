/**
 * Returns the new text with the old `replace` lines, which may redirect a module of the tests to another folder.
 * Undefined if they did not change.
 */
export function restoreReplaceLines(before: string, after: string): string | undefined {
  const [then, now] = [separateReplaceLines(before), separateReplaceLines(after)];
  if ([...then.replaced].sort().join("\n") === [...now.replaced].sort().join("\n")) return undefined;
  return [...now.rest, ...then.replaced.map((line) => `replace ${line}`), ""].join("\n");
}

/** Lists them one by one, whether single or in a block. */
function separateReplaceLines(text: string): {
  readonly rest: readonly string[];
  readonly replaced: readonly string[];
} {
  const [rest, replaced]: [string[], string[]] = [[], []];
  let isBlock = false;
  for (const line of text.split("\n")) {
    const said = line.replace(/\/\/.*$/, "").trim();
    if (isBlock) {
      isBlock = said !== ")";
      if (isBlock && said !== "") replaced.push(said);
    } else if (/^replace\s*\($/.test(said)) isBlock = true;
    else if (/^replace\s/.test(said)) replaced.push(said.replace(/^replace\s+/, ""));
    else rest.push(line);
  }
  return { rest, replaced };
}
