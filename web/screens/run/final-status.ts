import type { PageHead } from "../../../src/views/page/page.ts";

/** Statuses of runs that cannot be resumed. */
const FINAL = new Set(["done", "error", "blocked", "stalled", "canceled"]);

export const isOver = ({ status }: Pick<PageHead, "status">): boolean => FINAL.has(status);
