import { fileURLToPath } from "node:url";

/** `npm test` builds it first (`scripts/program.mjs`); a single test file run alone uses the sources. */
const BUILT = process.env["SIGNALBOX_TESTED"] === "built" ? "node_modules/.cache/signalbox/program/" : "";

const resolveBin = (folder: string): string =>
  fileURLToPath(new URL(`../../${folder}bin/signalbox.js`, import.meta.url));

/** The program as a person starts it. */
export const BIN = resolveBin(BUILT);
/** The program as it is started in a clone, which has its own Node. */
export const BIN_OF_CLONE = resolveBin("");
