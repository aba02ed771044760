import type { Hunk } from "../../surfaces/server/port/diff.ts";

/** Marks a diff that was cut; the section before it may be incomplete. */
const CUT = /\n# cut after \d+ characters; all of it: git diff [^\n]*\n$/;

/** Splits a unified diff by file name, using the name after the change. */
export function splitPatch(text: string): ReadonlyMap<string, string> {
  const sections = text.split(/^(?=diff --git )/m).filter((section) => section.startsWith("diff --git "));
  const whole = CUT.test(text) ? sections.slice(0, -1) : sections;
  return new Map(whole.flatMap((section) => parseSectionNames(section).map((name) => [name, section] as const)));
}

/** Uses the old name for a deleted file. A section with neither lines nor a rename has no content to show. */
function parseSectionNames(section: string): readonly string[] {
  const head = section.split(/^@@ /m)[0] ?? "";
  const named = /^\+\+\+ (?!\/dev\/null)(.*)$/m.exec(head) ?? /^--- (?!\/dev\/null)(.*)$/m.exec(head);
  const moved = /^rename to (.*)$/m.exec(head)?.[1];
  if (moved !== undefined) return [unquoteName(moved)];
  return named?.[1] === undefined ? [] : [unquoteName(named[1]).slice(2)];
}

/** git appends a tab to names with spaces and quotes names with control characters. */
function unquoteName(name: string): string {
  const plain = name.replace(/\t$/, "");
  if (!plain.startsWith('"')) return plain;
  return plain
    .slice(1, -1)
    .replaceAll(/\\([abfnrtv"\\]|[0-7]{3})/g, (_, sign: string) => ESCAPES[sign] ?? decodeOctal(sign));
}

const ESCAPES: Readonly<Record<string, string>> = {
  ...{ a: "\u0007", b: "\b", f: "\f", n: "\n", r: "\r", t: "\t", v: "\v" },
  ...{ '"': '"', "\\": "\\" },
};

function decodeOctal(digits: string): string {
  return String.fromCharCode(Number.parseInt(digits, 8));
}

const HUNK = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@.*$/;

export function parseHunks(section: string): readonly Hunk[] {
  const hunks: (Omit<Hunk, "lines"> & { readonly lines: string[] })[] = [];
  for (const line of section.split("\n")) {
    const begun = HUNK.exec(line);
    if (begun) hunks.push({ header: line, oldStart: Number(begun[1]), newStart: Number(begun[2]), lines: [] });
    else if (/^[-+ \\]/.test(line)) hunks.at(-1)?.lines.push(line);
    // A redacted secret may have spanned several lines.
    else if (line !== "") hunks.at(-1)?.lines.push(` ${line}`);
  }
  return hunks;
}
