import { counted } from "../../core/text/count.ts";
import type { Audit } from "./audit.ts";
import type { AuditEntry } from "./audit-entries.ts";
import { wrapUntrusted } from "./wrap-untrusted.ts";

const MAX_ENTRIES = 10;
const GATE_DESCRIPTIONS: Readonly<Record<string, string>> = {
  "EG-1": "a baseline before the work",
  "EG-2": "enough different checks pass, none fails",
  "EG-3": "all three reviewers submitted",
  "EG-4": "no blocker in any round",
  "EG-5": "every reviewer judged all three categories",
  "EG-6": "two of three reviewers approve everything",
};

/** Renders an audit for people, at most 100 columns wide. Content of the ledger is escaped. */
export function renderAudit(audit: Audit): string {
  const sections = [formatHeading(audit), formatGates(audit), formatEntries(audit.entries), formatNotes(audit)];
  return `${sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join("\n"))
    .join("\n\n")}\n`;
}

function formatHeading({ rows, entries }: Audit): string[] {
  const tasks = entries.filter((entry) => entry.kind === "task").length;
  return [
    `${counted(rows, "row")} evaluated: ${counted(tasks, "task")}, ${counted(entries.length - tasks, "review round")}`,
  ];
}

function formatGates({ totals }: Audit): string[] {
  const columns = (cells: readonly [unknown, unknown, unknown]) => cells.map((cell) => `${cell}`.padStart(8)).join("");
  const lines = Object.entries(totals).map(([id, { pass, fail, unknown }]) =>
    `${id.padEnd(6)}${columns([pass, fail, unknown])}   ${GATE_DESCRIPTIONS[id] ?? ""}`.trimEnd(),
  );
  return [`${"gate".padEnd(6)}${columns(["pass", "fail", "unknown"])}   requires`, ...lines];
}

/** Lists entries with failed or unknown gates, most failed gates first. */
function formatEntries(entries: readonly AuditEntry[]): string[] {
  const bad = entries
    .filter((entry) => listUnpassedGates(entry).length > 0)
    .toSorted(
      (a, b) => countGates(b, "fail") - countGates(a, "fail") || countGates(b, "unknown") - countGates(a, "unknown"),
    );
  if (bad.length === 0) return [];
  const more = bad.length - MAX_ENTRIES;
  return [
    more > 0 ? `The worst ${MAX_ENTRIES} of ${bad.length} entries that did not pass` : "Entries that did not pass",
    ...bad.slice(0, MAX_ENTRIES).flatMap(formatEntry),
    ...(more > 0 ? [`  … ${more} more; use \`--json\` to list all`] : []),
  ];
}

function formatEntry(entry: AuditEntry): string[] {
  const round = entry.round === undefined ? "" : `, round ${entry.round}`;
  const name = `${entry.task_id || "(no task)"} (${entry.kind}${round}) in ${entry.run_id || "(no run)"}`;
  const gates = listUnpassedGates(entry).flatMap(([id, { result, why }]) =>
    wrapUntrusted(why, `    ${id}  ${result.padEnd(8)} `),
  );
  return [...wrapUntrusted(name, "  "), ...gates];
}

function formatNotes({ notes }: Audit): string[] {
  if (notes.length === 0) return [];
  return ["Notes", ...notes.flatMap(({ message }) => wrapUntrusted(message, "  - "))];
}

function listUnpassedGates(entry: AuditEntry) {
  return Object.entries(entry.gates).filter(([, gate]) => gate.result !== "pass");
}

function countGates(entry: AuditEntry, result: "fail" | "unknown"): number {
  return Object.values(entry.gates).filter((gate) => gate.result === result).length;
}
