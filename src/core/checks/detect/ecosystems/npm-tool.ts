/** Folder of a checkout for programs that npm fetches. */
export const TOOLS = ".tools";
const FETCH = `npm install --prefix ${TOOLS} --no-save --no-audit --no-fund `;
const BEFORE = `PATH=$PWD/${TOOLS}/node_modules/.bin:$PATH `;

export type NpmTool = {
  /** Prefix of the set-up's line. */
  readonly fetch: string;
  /** Prefix of every line that needs the program. */
  readonly before: string;
};

/**
 * Fetches a missing program into the checkout with npm, because checks have no network and scripts call their manager
 * by name. Undefined for an installed program.
 */
export function fetchNpmTool(wanted: string | undefined): NpmTool {
  if (wanted === undefined) return { fetch: "", before: "" };
  return {
    fetch: `${FETCH}${wanted} && `,
    before: BEFORE,
  };
}

/** Returns whether a part of a line fetches such a program and does nothing else. */
export function isToolFetch(part: string): boolean {
  return part.startsWith(FETCH) && /^(?:@[\w.-]+\/)?[\w.-]+(?:@[\w.-]+)?$/.test(part.slice(FETCH.length));
}

/** Converts a part of a line to its form with an installed program. */
export function removeToolPrefix(part: string): string {
  return part.startsWith(BEFORE) ? part.slice(BEFORE.length) : part;
}
