import type { ProcessLimits } from "../../src/core/ports/processes.ts";
import type { ColumnName, LimitName } from "./misbehavior.ts";

const MEGABYTE = 1_000_000;
const PATIENT = { silenceMs: 30_000, wallMs: 120_000 };

/** Time that an agent may run after its last message, if the driver recognizes that message. */
export const STAY_MS = 250;

/** Amount printed before a flood is stopped; `MISBEHAVE_FLOOD_MB` raises it. */
const FLOOD_BYTES = Number(process.env["MISBEHAVE_FLOOD_MB"] ?? 300) * MEGABYTE;
/** Our own protocol clients parse every line, which takes time but no more memory. */
const SPOKEN_SHARE = 5;

export function floodBytes(column: ColumnName): number {
  return ["claude", "goose", "gemini"].includes(column) ? FLOOD_BYTES / SPOKEN_SHARE : FLOOD_BYTES;
}

/** Short for limits under test, and otherwise so long that a busy machine does not reach them. */
export function limitsOf(limit: LimitName | undefined, column: ColumnName): ProcessLimits {
  return { ...PATIENT, ...(limit ? SHORT[limit] : {}), outputBytes: floodBytes(column) };
}

const SHORT: Readonly<Record<LimitName, ProcessLimits>> = {
  silence: { silenceMs: 700 },
  stay: { silenceMs: 6_000 },
  drip: { silenceMs: 2_500, wallMs: 8_000 },
  wall: { silenceMs: 2_000, wallMs: 3_000 },
  output: {},
};
