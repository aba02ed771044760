import { counted } from "../../core/text/counted.ts";
import type { Audit } from "./audit.ts";
import type { AuditEntry } from "./entries.ts";
import { wrapped } from "./printable.ts";

const ENTRIES_SHOWN = 10;
const ASKS: Readonly<Record<string, string>> = {
  "EG-1": "a baseline before the work",
  "EG-2": "enough different checks pass, none fails",
  "EG-3": "all three reviewers submitted",
  "EG-4": "no blocker in any round",
  "EG-5": "every reviewer judged all three categories",
  "EG-6": "two of three reviewers approve everything",
};

/** An audit for people, in lines of at most 100 columns. What the ledger says is shown, never obeyed. */
export function renderAudit(audit: Audit): string {
  const sections = [heading(audit), gateLines(audit), entryLines(audit.entries), noteLines(audit)];
  return `${sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join("\n"))
    .join("\n\n")}\n`;
}

function heading({ rows, entries }: Audit): string[] {
  const tasks = entries.filter((entry) => entry.kind === "task").length;
  return [
    `${counted(rows, "row")} judged: ${counted(tasks, "task")}, ${counted(entries.length - tasks, "review round")}`,
  ];
}

function gateLines({ totals }: Audit): string[] {
  const columns = (cells: readonly [unknown, unknown, unknown]) => cells.map((cell) => `${cell}`.padStart(8)).join("");
  const lines = Object.entries(totals).map(([id, { pass, fail, unknown }]) =>
    `${id.padEnd(6)}${columns([pass, fail, unknown])}   ${ASKS[id] ?? ""}`.trimEnd(),
  );
  return [`${"gate".padEnd(6)}${columns(["pass", "fail", "unknown"])}   asks`, ...lines];
}

/** Most failed gates first; entries that passed everything are not listed. */
function entryLines(entries: readonly AuditEntry[]): string[] {
  const bad = entries
    .filter((entry) => notPassed(entry).length > 0)
    .toSorted((a, b) => count(b, "fail") - count(a, "fail") || count(b, "unknown") - count(a, "unknown"));
  if (bad.length === 0) return [];
  const more = bad.length - ENTRIES_SHOWN;
  return [
    more > 0 ? `The worst ${ENTRIES_SHOWN} of ${bad.length} entries that did not pass` : "Entries that did not pass",
    ...bad.slice(0, ENTRIES_SHOWN).flatMap(oneEntry),
    ...(more > 0 ? [`  … ${more} more: \`--json\` lists all`] : []),
  ];
}

function oneEntry(entry: AuditEntry): string[] {
  const round = entry.round === undefined ? "" : `, round ${entry.round}`;
  const name = `${entry.task_id || "(no task)"} (${entry.kind}${round}) in ${entry.run_id || "(no run)"}`;
  const gates = notPassed(entry).flatMap(([id, { result, why }]) => wrapped(why, `    ${id}  ${result.padEnd(8)} `));
  return [...wrapped(name, "  "), ...gates];
}

function noteLines({ notes }: Audit): string[] {
  if (notes.length === 0) return [];
  return ["Notes", ...notes.flatMap(({ message }) => wrapped(message, "  - "))];
}

function notPassed(entry: AuditEntry) {
  return Object.entries(entry.gates).filter(([, gate]) => gate.result !== "pass");
}

function count(entry: AuditEntry, result: "fail" | "unknown"): number {
  return Object.values(entry.gates).filter((gate) => gate.result === result).length;
}
