import { withoutSequences } from "../../core/text/terminal-sequences.ts";
import { isBad, standingChecks } from "../../views/evidence.ts";
import { foundIn } from "./found.ts";
import { placeOfTest, placesOf } from "./places.ts";
import type { RunReport } from "./run-report.ts";
import { LEVELS } from "./sarif.ts";

/** GitHub shows ten of a kind for one step. */
const MOST_OF_A_KIND = 10;
const MOST_CHARS = 1_000;

type Kind = "error" | "warning" | "notice";
type Annotation = {
  readonly kind: Kind;
  readonly title: string;
  readonly message: string;
  readonly file?: string;
  readonly line?: number;
};

const KINDS = { error: "error", warning: "warning", note: "notice" } as const;

/** What stands in the way, beside the line that it is about; how many more there are is said in a line of its own. */
export function annotationLines(report: RunReport): readonly string[] {
  const all = Map.groupBy([...failingTests(report), ...findings(report)], ({ kind }) => kind);
  return [...all].flatMap(([kind, annotations]) => {
    const more = annotations.length - MOST_OF_A_KIND;
    const shown = annotations.slice(0, MOST_OF_A_KIND).map(commandOf);
    return more > 0 ? [...shown, `signalbox: ${more} more of the kind ${kind}; the report has them all`] : shown;
  });
}

function findings(report: RunReport): readonly Annotation[] {
  return foundIn(report).map((found) => {
    const [place] = placesOf(found);
    return { kind: KINDS[LEVELS[found.severity]], title: found.rule, message: found.message, ...place };
  });
}

function failingTests({ evidence }: RunReport): readonly Annotation[] {
  const bad = standingChecks(evidence.flatMap((task) => task.evidence)).filter(isBad);
  return bad.flatMap(({ check, tests }) =>
    (tests?.failing ?? []).map((name) => ({
      kind: "error" as const,
      title: `${check} fails`,
      message: name,
      ...placeOfTest(name),
    })),
  );
}

function commandOf({ kind, title, message, file, line }: Annotation): string {
  const said = { ...(file === undefined ? {} : { file }), ...(line === undefined ? {} : { line }), title };
  const properties = Object.entries(said).map(([name, value]) => `${name}=${property(String(value))}`);
  return `::${kind} ${properties.join(",")}::${data(message)}`;
}

/** As the runner reads it back: a percent sign, and whatever ends a line or a value. */
function data(text: string): string {
  return printable(text).replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function property(text: string): string {
  return data(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}

function printable(text: string): string {
  const clean = withoutSequences(text).replace(/[^\P{Cc}\n]|[\p{Bidi_Control}\p{Zl}\p{Zp}\ufeff]/gu, "");
  return clean.length > MOST_CHARS ? `${clean.slice(0, MOST_CHARS)}…` : clean;
}
