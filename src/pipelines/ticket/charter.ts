import type { Charter } from "../charter.ts";
import { preparingCharter } from "./preparing-charter.ts";
import { workingCharter } from "./working-charter.ts";

/** What this pipeline owes its users, and where each promise is kept. */
export const charter: Charter = [...preparingCharter, ...workingCharter].toSorted((a, b) => (a.id < b.id ? -1 : 1));
