import { removeSequences } from "../../core/text/terminal-sequences.ts";
import { isRejectedResult, selectLatestChecks } from "../../views/evidence.ts";
import { findTestLocation, listLocations } from "./finding-locations.ts";
import { listOpenFindings } from "./open-findings.ts";
import type { RunReport } from "./run-report.ts";
import { LEVELS } from "./sarif.ts";

/** GitHub displays ten annotations of each kind per step. */
const MAX_PER_KIND = 10;
const MAX_CHARS = 1_000;

type AnnotationKind = "error" | "warning" | "notice";
type Annotation = {
  readonly kind: AnnotationKind;
  readonly title: string;
  readonly message: string;
  readonly file?: string;
  readonly line?: number;
};

const KINDS = { error: "error", warning: "warning", note: "notice" } as const;

/** Formats failing tests and findings as annotations, and the number of omitted ones. */
export function formatAnnotations(report: RunReport): readonly string[] {
  const all = Map.groupBy([...toTestAnnotations(report), ...toFindingAnnotations(report)], ({ kind }) => kind);
  return [...all].flatMap(([kind, annotations]) => {
    const more = annotations.length - MAX_PER_KIND;
    const shown = annotations.slice(0, MAX_PER_KIND).map(formatCommand);
    return more > 0 ? [...shown, `signalbox: ${more} more of kind ${kind}; see the report for all of them`] : shown;
  });
}

function toFindingAnnotations(report: RunReport): readonly Annotation[] {
  return listOpenFindings(report).map((found) => {
    const [place] = listLocations(found);
    return { kind: KINDS[LEVELS[found.severity]], title: found.rule, message: found.message, ...place };
  });
}

function toTestAnnotations({ evidence }: RunReport): readonly Annotation[] {
  const bad = selectLatestChecks(evidence.flatMap((task) => task.evidence)).filter(isRejectedResult);
  return bad.flatMap(({ check, tests }) =>
    (tests?.failing ?? []).map((name) => ({
      kind: "error" as const,
      title: `${check} fails`,
      message: name,
      ...findTestLocation(name),
    })),
  );
}

function formatCommand({ kind, title, message, file, line }: Annotation): string {
  const values = { ...(file === undefined ? {} : { file }), ...(line === undefined ? {} : { line }), title };
  const properties = Object.entries(values).map(([name, value]) => `${name}=${escapeProperty(String(value))}`);
  return `::${kind} ${properties.join(",")}::${escapeData(message)}`;
}

/** Escapes the characters that end a line or a value in a workflow command. */
function escapeData(text: string): string {
  return cleanMessage(text).replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}

function cleanMessage(text: string): string {
  const clean = removeSequences(text).replace(/[^\P{Cc}\n]|[\p{Bidi_Control}\p{Zl}\p{Zp}\ufeff]/gu, "");
  return clean.length > MAX_CHARS ? `${clean.slice(0, MAX_CHARS)}…` : clean;
}
