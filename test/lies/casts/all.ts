import type { PipelineName } from "../entry.ts";
import type { MakeCast } from "./cast.ts";
import { clusters } from "./clusters.ts";
import { ledger } from "./ledger.ts";
import { own } from "./own.ts";
import { phases } from "./phases.ts";
import { roadmap } from "./roadmap.ts";
import { task } from "./task.ts";
import { ticket } from "./ticket.ts";

export const casts: Readonly<Record<PipelineName, MakeCast>> = { roadmap, phases, ledger, clusters, ticket, task, own };
