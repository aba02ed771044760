import { SignalboxError } from "../../core/failure/errors.ts";
import { jsonLine } from "../../core/text/json-line.ts";
import { redactDeep } from "../../core/text/redact-deep.ts";
import { showMarks } from "../../core/text/shown-marks.ts";

const PLACE = '<script type="application/json" id="run">null</script>';

/**
 * The page that was built for reports, with a run in it. The run is data in a script of no program's type: neither the
 * end of that script nor the beginning of a comment can stand in it.
 */
export function htmlReport(template: string, document: unknown): string {
  const [before, after, ...more] = template.split(PLACE);
  if (before === undefined || after === undefined || more.length > 0) {
    const hint = "Build it again: npm run web.";
    throw new SignalboxError("INTERNAL", "The page for reports has no place for a run.", hint);
  }
  const text = jsonLine(redactDeep(document, showMarks)).replace(
    /[<>&]/g,
    (char) => `\\u00${char.charCodeAt(0).toString(16)}`,
  );
  return `${before}${PLACE.replace("null", () => text)}${after}`;
}
