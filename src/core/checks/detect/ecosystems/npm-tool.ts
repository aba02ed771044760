/** Folder of a checkout for programs that npm fetches. */
export const TOOLS = ".tools";
const FETCH = `npm install --prefix ${TOOLS} --no-save --no-audit --no-fund `;
const BEFORE = `PATH=$PWD/${TOOLS}/node_modules/.bin:$PATH `;

export type NpmTool = {
  /** Stands before the set-up's own line. */
  readonly fetch: string;
  /** Stands before every line that needs the program. */
  readonly before: string;
};

/**
 * A program that is not here, fetched by npm into the checkout, because checks have no network and scripts call their
 * manager by its name. Nothing for one that is here.
 */
export function npmTool(wanted: string | undefined): NpmTool {
  if (wanted === undefined) return { fetch: "", before: "" };
  return {
    fetch: `${FETCH}${wanted} && `,
    before: BEFORE,
  };
}

/** Whether a part of a line fetches such a program and does nothing else. */
export function isToolFetch(part: string): boolean {
  return part.startsWith(FETCH) && /^(?:@[\w.-]+\/)?[\w.-]+(?:@[\w.-]+)?$/.test(part.slice(FETCH.length));
}

/** A part of a line as it stands where the program is here. */
export function withoutTool(part: string): string {
  return part.startsWith(BEFORE) ? part.slice(BEFORE.length) : part;
}
