import { expect, test } from "vitest";
import { showMarks } from "../../core/text/visible-marks.ts";
import { renderHtmlReport } from "./html.ts";
import { HOSTILE } from "./report.fixture.ts";

const TEMPLATE = '<body><script type="application/json" id="run">null</script><script>program()</script></body>';

test("a run is embedded as data, whatever its texts contain, and is read back unchanged", () => {
  const document = { text: `${HOSTILE} </script><script>alert(1)</script> <!-- $& $1 \u2028`.toWellFormed() };
  const html = renderHtmlReport(TEMPLATE, document);
  expect(html.match(/<\/?script/g)).toHaveLength(4);
  const [, json = ""] = /id="run">(.*?)<\/script>/s.exec(html) ?? [];
  expect(json).not.toMatch(/[<>&\u2028]/);
  expect(JSON.parse(json)).toEqual({ text: showMarks(document.text) });
  expect(JSON.parse(json).text).toContain("⟨U+202E⟩turned");
});

test("a page without a placeholder, or with two, is refused", () => {
  for (const template of ["<body></body>", TEMPLATE + TEMPLATE])
    expect(() => renderHtmlReport(template, {})).toThrow("no place");
});
