/** Folder of a checkout for programs that npm fetches. */
const TOOLS = ".tools";

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
    fetch: `npm install --prefix ${TOOLS} --no-save --no-audit --no-fund ${wanted} && `,
    before: `PATH=$PWD/${TOOLS}/node_modules/.bin:$PATH `,
  };
}
