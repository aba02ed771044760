import { fileURLToPath } from "node:url";

/** `npm test` builds it before (`scripts/program.mjs`); whoever runs one file gets what he has just written. */
const BUILT = process.env["SIGNALBOX_TESTED"] === "built" ? "node_modules/.cache/signalbox/program/" : "";

const binIn = (folder: string): string => fileURLToPath(new URL(`../../${folder}bin/signalbox.js`, import.meta.url));

/** The program as a person starts it. */
export const BIN = binIn(BUILT);
/** As it is started in a clone, which brings its own Node. */
export const BIN_OF_CLONE = binIn("");
