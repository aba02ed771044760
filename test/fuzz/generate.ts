import { EVIL } from "./evil.ts";
import type { Kind, Reader } from "./reader.ts";

/** Creates a generator that gives the same numbers for the same seed on every machine. */
export function chance(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Generates a text for the reader: from its grammar or a known hard input, then with random changes. */
export function textFor(reader: Reader, seed: number): string {
  const next = chance(seed);
  const size = Math.min(reader.most, 2 ** (4 + Math.floor(next() * 13)));
  const start = next() < 0.6 ? growText(reader.kind, { size, next }) : pickEvil(size, next);
  const changes = Math.floor(next() * 6);
  let text = start;
  for (let at = 0; at < changes; at += 1) text = changeText(text, next);
  return text.slice(0, reader.most);
}

type Chance = () => number;
type Growth = { readonly size: number; readonly next: Chance };

function pick<T>(list: readonly T[], next: Chance): T {
  const found = list[Math.floor(next() * list.length)];
  if (found === undefined) throw new Error("nothing to pick from");
  return found;
}

function pickEvil(size: number, next: Chance): string {
  return pick(Object.values(EVIL), next)(size);
}

/** Tokens that occur together in a text of each kind. */
const PIECES: Readonly<Record<Kind, readonly string[]>> = {
  yaml: [
    "a: ",
    "- ",
    "\n",
    "\n  ",
    "\n    ",
    "{",
    "}",
    "[",
    "]",
    ",",
    "&a ",
    "*a",
    "!!str ",
    "|\n",
    ">-\n",
    '"x"',
    "'y'",
    "? ",
    ": ",
    "# c\n",
    "---\n",
    "<<: *a\n",
    "1",
    "on: push\n",
    "run: npm test\n",
    "jobs:\n",
    "%YAML 1.1\n",
    "key: value\n",
  ],
  json: [
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    '"a"',
    '"scripts":',
    '"test":',
    '"npm run b"',
    "1e999",
    "null",
    "true",
    " ",
    "\n",
    "\\u0041",
    '"items":',
    '"id":1',
    '"\\\\',
    '"__proto__":',
    '{"type":"result","result":"a"}\n',
  ],
  toml: [
    "[a]\n",
    "[[b]]\n",
    "a = 1\n",
    'b = "x"\n',
    "c = '''",
    '"""',
    "[tool.pytest]\n",
    "d = [\n",
    "]\n",
    "# x\n",
    "{a=1}",
    "\\",
    '"k" = ',
    "test = [\n",
    "[dependency-groups]\n",
    "include-group",
  ],
  source: [
    "it(",
    '"a", ',
    "() => {\n",
    "})\n",
    "expect(",
    ").toBe(1)\n",
    "// x\n",
    "/* ",
    " */",
    "`",
    "${",
    "'",
    '"',
    "def test_a():\n",
    "  assert x\n",
    "#[cfg(test)]\nmod a {\n",
    "}\n",
    "func TestA(t *testing.T) {\n",
    "@Test\n",
    "t.Skip()\n",
    "\\\n",
    "/a[/]b/",
    "test: b\n\tnpm test\n",
    "lines: 90\n",
    "exclude: [",
  ],
  report: [
    "<testsuite>",
    '<testcase name="a">',
    "</testcase>",
    "<failure/>",
    "<![CDATA[",
    "]]>",
    "1..2\n",
    "ok 1 - a\n",
    "not ok 2\n",
    "# tests 2\n",
    "# pass 1\n",
    "running 1 test\n",
    "test a ... ok\n",
    "test result: ok. 1 passed; 0 failed\n",
    '{"Action":"pass","Package":"p","Test":"t"}\n',
    "2 passed in 0.1s\n",
    "Tests  1 passed (1)\n",
    '{"numTotalTests":1,"numPassedTests":1,"numFailedTests":0}',
    '{"file":"a","path":["b"],"end":"passed"}\n',
  ],
  shell: [
    "npm ",
    "run ",
    "test ",
    "&& ",
    "|| ",
    "; ",
    "| ",
    "'",
    '"',
    "$(",
    ")",
    "\\\n",
    "node --import ./a.js ",
    "retry in 5s ",
    "resets at ",
    "Error: 429 ",
    "sh: 1: a: not found\n",
    "make: *** No rule to make target a\n",
    "limit|1763290800 ",
  ],
  path: [
    "a",
    "/",
    "**",
    "*",
    "?",
    "{",
    ",",
    "}",
    "[",
    "]",
    "!",
    "..",
    ".",
    "test",
    "_test.go",
    ".spec.ts",
    "\n",
    "\0",
    "é",
  ],
  markdown: [
    "# A\n",
    "## Findings\n",
    "- [Major] x\n",
    "- ",
    "* ",
    "### Wave 1\n",
    "- 01-a (depends_on: 02-b)\n",
    "```\n",
    "| a | b |\n",
    "### Orchestrator Contract\n",
    "- Nonce: n7\n",
    "- Status: done\n",
    "DONE[n7]: x\n",
    "a → b\n",
    "Use `x` ",
    "AB-1 ",
    "fix ",
    ". ",
    "\n\n",
  ],
  terminal: [
    "\u001b[31m",
    "\u001b[0m",
    "\u001b]0;t\u0007",
    "\u001b]8;;u\u001b\\",
    "\u009b1m",
    "\r",
    "\n",
    "\t",
    "a",
    "word ",
    "\u202e",
    "\u0000",
    "sk-abc123def456ghi789jkl0 ",
    "//u:password1@h",
    "authorization: bearer abcdefgh1",
    "eyJhbGciOiJI.eyJzdWIiOiI.abcdef",
  ],
};

function growText(kind: Kind, { size, next }: Growth): string {
  const parts: string[] = [];
  for (let length = 0; length < size; ) {
    const piece = pick(PIECES[kind], next);
    const again = next() < 0.05 ? 1 + Math.floor(next() * 50) : 1;
    const part = piece.repeat(again);
    parts.push(part);
    length += part.length;
  }
  return parts.join("");
}

const JUNK = [
  "\0",
  "\ud800",
  "\uFEFF",
  "\r\n",
  "\u2028",
  '"',
  "'",
  "`",
  "\\",
  "{",
  "[",
  "]",
  "}",
  "\u001b",
  "9".repeat(400),
  "-1e400",
  "__proto__",
  "\u0301",
];

function changeText(text: string, next: Chance): string {
  const at = Math.floor(next() * (text.length + 1));
  const to = Math.min(text.length, at + Math.floor(next() * 40));
  const kind = next();
  if (kind < 0.3) return text.slice(0, at) + pick(JUNK, next) + text.slice(at);
  if (kind < 0.5) return text.slice(0, at) + text.slice(to);
  if (kind < 0.65) return text.slice(0, at) + text.slice(at, to).repeat(1 + Math.floor(next() * 30)) + text.slice(to);
  if (kind < 0.75) return text.replaceAll("\n", "\r\n");
  if (kind < 0.85) return text.slice(0, at);
  if (kind < 0.95) return text.slice(0, at) + pickEvil(Math.min(2_000, text.length + 16), next) + text.slice(at);
  return text + text.slice(0, 20_000);
}
