import { SignalboxError } from "../../core/failure/errors.ts";
import { formatJsonLine } from "../../core/text/json-line.ts";
import { redactDeep } from "../../core/text/redact-deep.ts";
import { showMarks } from "../../core/text/visible-marks.ts";

const PLACEHOLDER = '<script type="application/json" id="run">null</script>';

/**
 * Inserts a run into the built report page. The run is data in a non-executable script element, escaped so that it
 * cannot end the element or start a comment.
 */
export function renderHtmlReport(template: string, document: unknown): string {
  const [before, after, ...more] = template.split(PLACEHOLDER);
  if (before === undefined || after === undefined || more.length > 0) {
    const hint = "Rebuild it with `npm run web`.";
    throw new SignalboxError("INTERNAL", "The report page has no placeholder for the run.", hint);
  }
  const text = formatJsonLine(redactDeep(document, showMarks)).replace(
    /[<>&]/g,
    (char) => `\\u00${char.charCodeAt(0).toString(16)}`,
  );
  return `${before}${PLACEHOLDER.replace("null", () => text)}${after}`;
}
