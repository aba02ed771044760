type Shape = { readonly attributes: readonly string[]; readonly optional?: readonly string[]; readonly inside: RegExp };

/** The rules of `junit.xsd` as a list, for machines without a schema validator. */
const SHAPES: Readonly<Record<string, Shape>> = {
  testsuites: { attributes: [], inside: /^(testsuite )*$/ },
  testsuite: {
    attributes: ["name", "package", "id", "timestamp", "hostname", "tests", "failures", "errors", "time"],
    optional: ["skipped"],
    inside: /^properties (testcase )*system-out system-err $/,
  },
  properties: { attributes: [], inside: /^(property )*$/ },
  property: { attributes: ["name", "value"], inside: /^$/ },
  testcase: { attributes: ["name", "classname", "time"], inside: /^((skipped|error|failure) )?$/ },
  skipped: { attributes: [], optional: ["message"], inside: /^$/ },
  error: { attributes: ["type"], optional: ["message"], inside: /^$/ },
  failure: { attributes: ["type"], optional: ["message"], inside: /^$/ },
  "system-out": { attributes: [], inside: /^$/ },
  "system-err": { attributes: [], inside: /^$/ },
};

const TOKEN = /<\?[^>]*\?>|<(\/?)([\w-]+)((?: [\w-]+="[^"<]*")*)(\/?)>|([^<]+)/y;
const REFERENCES = /&(?!(?:amp|lt|gt|quot|#\d+);)/;
const FORBIDDEN = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/u;

/** Lists the problems of a document: not well-formed, or not in the format above. */
export function problemsOfJUnit(text: string): readonly string[] {
  const problems: string[] = [];
  const open: Open[] = [{ name: "", inside: "" }];
  if (FORBIDDEN.test(text)) problems.push("a character that XML forbids");
  if (REFERENCES.test(text)) problems.push("a reference that nobody declared");
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < text.length) {
    const at = TOKEN.lastIndex;
    const token = TOKEN.exec(text);
    if (!token) return [...problems, `no XML at ${at}: ${text.slice(at, at + 60)}`];
    problems.push(...taken(open, token));
  }
  return open.length === 1 ? problems : [...problems, "something is not closed"];
}

type Open = { readonly name: string; inside: string };

function taken(open: Open[], [, closing, name, attributes = "", empty]: RegExpExecArray): readonly string[] {
  if (name === undefined) return [];
  if (closing === "/") return closed(open, name);
  const above = open.at(-1);
  if (above) above.inside += `${name} `;
  open.push({ name, inside: "" });
  return [...attributeProblems(name, attributes), ...(empty === "/" ? closed(open, name) : [])];
}

function closed(open: Open[], name: string): readonly string[] {
  const last = open.pop();
  if (last?.name !== name) return [`${name} is closed, ${last?.name} was open`];
  return SHAPES[name]?.inside.test(last.inside) ? [] : [`${name} holds "${last.inside}"`];
}

function attributeProblems(name: string, text: string): readonly string[] {
  const said = [...text.matchAll(/ ([\w-]+)="([^"]*)"/g)].map((match) => match[1] ?? "");
  const { attributes, optional = [] }: Shape = SHAPES[name] ?? { attributes: [], inside: /^$/ };
  const missing = attributes.filter((each) => !said.includes(each));
  const foreign = said.filter((each) => !attributes.includes(each) && !optional.includes(each));
  if (name in SHAPES && missing.length + foreign.length === 0) return [];
  return [`${name}: missing ${missing.join(",")}, unknown ${foreign.join(",")}`];
}
