import type { PageHead } from "../../../src/views/page/page.ts";

/** Ends that are final; whatever else a run stopped with, somebody can still resume it. */
const FINAL = new Set(["done", "error", "blocked", "stalled", "canceled"]);

export const isOver = ({ status }: Pick<PageHead, "status">): boolean => FINAL.has(status);
