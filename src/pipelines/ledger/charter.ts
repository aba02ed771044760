import type { Charter } from "../charter.ts";
import { buildingCharter } from "./building-charter.ts";
import { decidingCharter } from "./deciding-charter.ts";

/** What this pipeline owes its users, and where each promise is kept. */
export const charter: Charter = [...decidingCharter, ...buildingCharter].toSorted((a, b) => (a.id < b.id ? -1 : 1));
