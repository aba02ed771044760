/** Lists the folders that a known set-up line creates, for callers that have no record of its result. */
export function listCreatedFolders(line: string): readonly string[] {
  const parts = line.split(/&&|;|\|\|/).map((part) => part.trim());
  return [...new Set(parts.flatMap(listPartFolders))];
}

function listPartFolders(part: string): readonly string[] {
  const venv = /^\S*python[\d.]*(?: -\w)* -m venv (?:--\S+ )*([\w.-]+)$/.exec(part)?.[1];
  if (venv !== undefined) return [venv];
  return BRINGS.flatMap(([program, folder]) => (program.test(part) ? [folder] : []));
}

const BRINGS: readonly (readonly [RegExp, string])[] = [
  [/^(?:npm|pnpm|yarn|bun)\b/, "node_modules"],
  [/^(?:uv|poetry|pdm|pipenv)\b/, ".venv"],
  [/^composer\b/, "vendor"],
];
