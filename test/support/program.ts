import { fileURLToPath } from "node:url";

/** `npm test` builds it before (`scripts/program.mjs`); whoever runs one file gets what he has just written. */
const BUILT = process.env["SIGNALBOX_TESTED"] === "built" ? "node_modules/.cache/signalbox/program/" : "";

/** The program as a person starts it. */
export const BIN = fileURLToPath(new URL(`../../${BUILT}bin/signalbox.js`, import.meta.url));
