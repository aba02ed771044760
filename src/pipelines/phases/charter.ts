import type { Charter } from "../charter.ts";
import { actingCharter } from "./acting-charter.ts";
import { planningCharter } from "./planning-charter.ts";

/** What this pipeline owes its users, and where each promise is kept. */
export const charter: Charter = [...planningCharter, ...actingCharter].toSorted((a, b) => (a.id < b.id ? -1 : 1));
