import type { Charter } from "./charter.ts";
import { charter as clusters } from "./clusters/charter.ts";
import { everyCharter } from "./every-charter.ts";
import { charter as ledger } from "./ledger/charter.ts";
import { charter as phases } from "./phases/charter.ts";
import { charter as roadmap } from "./roadmap/charter.ts";
import { charter as ticket } from "./ticket/charter.ts";

/** What the built-in pipelines owe their users, by the pipeline's name. */
export const CHARTERS: Readonly<Record<string, Charter>> = {
  "every pipeline": everyCharter,
  roadmap,
  phases,
  ledger,
  clusters,
  ticket,
};
