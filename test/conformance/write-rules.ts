import { writeFileSync } from "node:fs";
import { BOOKS, RULES_FILE, rulesFileOf, TAG_PROBLEMS } from "./books.ts";

// An incomplete list must not replace a complete one.
if (TAG_PROBLEMS.length === 0) writeFileSync(RULES_FILE, rulesFileOf(BOOKS));
for (const problem of TAG_PROBLEMS) console.error(`✗ ${problem}`);
process.exitCode = TAG_PROBLEMS.length === 0 ? 0 : 1;
console.log(`${BOOKS.flatMap(({ rules }) => rules).length} rules are carried by declarations`);
