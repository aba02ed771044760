/**
 * The new text with the old `replace` lines: a module that tests check with may be taken from another folder by them.
 * Undefined where they are as they were.
 */
export function replacedModules(before: string, after: string): string | undefined {
  const [then, now] = [partsOf(before), partsOf(after)];
  if ([...then.replaced].sort().join("\n") === [...now.replaced].sort().join("\n")) return undefined;
  return [...now.rest, ...then.replaced.map((line) => `replace ${line}`), ""].join("\n");
}

/** One by one, whether they stand alone or in a block. */
function partsOf(text: string): { readonly rest: readonly string[]; readonly replaced: readonly string[] } {
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
