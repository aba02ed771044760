import type { Breaks } from "./break.ts";

export const breaks: Breaks = {};
