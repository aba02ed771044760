// Measures how plainly the sources are written and fails above the limits below. `npm run check` runs it.
//
//   node scripts/voice.mjs             the figures and every finding above a limit
//   node scripts/voice.mjs --folders   the figures of each folder
//   node scripts/voice.mjs --list X    every finding of one kind: comments, names, verbless, repeated, sentences, paragraphs
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";

const LIMITS = { comments: 4, names: 1, verbless: 35, repeated: 0, sentences: 0, paragraphs: 0 };
/** The most files that may define a function or type of the same name. */
const MOST_FILES = 3;
/** React components declare their properties under this name. */
const CONVENTIONAL = new Set(["Props"]);
const MOST_WORDS = 30;
const MOST_LINES = 5;

/** A comment names its subject first. These words open a clause that has none. */
const CLAUSE = new Set(
  "what who whom whose whoever whatever whichever where whether of as by those somebody nobody everybody everything nothing asked told said seen shown kept given only without".split(
    " ",
  ),
);
const PREPOSITION = /(?:Of|In|From|For|At|With|Among|Behind|Within|Beside|By|To|On)$/;

/** The first words of function names: what a function does. */
const VERBS = new Set(
  readFileSync(new URL("verbs.txt", import.meta.url), "utf8")
    .split(/\s+/)
    .filter(Boolean),
);

/** Predicates and conversions that start with a verb form of their own. */
const isVerb = (name) => {
  const [first] = /^[a-z]+/.exec(name) ?? [""];
  return VERBS.has(first);
};

const { values } = parseArgs({ options: { folders: { type: "boolean" }, list: { type: "string" } } });
const tracked = execFileSync("git", ["ls-files"], { encoding: "utf8", maxBuffer: 1e8 }).split("\n");
const sources = tracked.filter(
  (file) => /^(?:src|web)\/.*\.tsx?$/.test(file) && !/\.(?:test|suite|fixture|d)\.tsx?$/.test(file),
);
const pages = tracked.filter((file) => /^(?:docs\/.*|README|CONTRIBUTING)\.md$/.test(file)).map(readPage);

const code = sources.map(readSource);
const found = {
  comments: code.flatMap(({ comments }) => comments.filter(({ text }) => CLAUSE.has(firstWord(text)))),
  names: code.flatMap(({ functions }) => functions.filter(({ text }) => PREPOSITION.test(text) && !isVerb(text))),
  verbless: code.flatMap(({ functions }) => functions.filter(({ text }) => /^[a-z]/.test(text) && !isVerb(text))),
  repeated: listRepeated(),
  sentences: pages.flatMap(({ sentences }) => sentences),
  paragraphs: pages.flatMap(({ paragraphs }) => paragraphs),
};
const totals = {
  comments: code.flatMap(({ comments }) => comments).length,
  names: code.flatMap(({ functions }) => functions).length,
};
const TITLES = {
  comments: "comments that open with a clause",
  names: "functions named noun + preposition",
  verbless: "functions that do not start with a verb",
  repeated: `function and type names declared in more than ${MOST_FILES} files`,
  sentences: `sentences of the docs with more than ${MOST_WORDS} words`,
  paragraphs: `paragraphs of the docs with more than ${MOST_LINES} lines`,
};

let failed = false;
for (const [kind, title] of Object.entries(TITLES)) {
  const whole = kind === "comments" ? totals.comments : ["names", "verbless"].includes(kind) ? totals.names : undefined;
  const count = found[kind].length;
  const value = whole === undefined ? count : (100 * count) / Math.max(1, whole);
  const isOver = value > LIMITS[kind];
  failed ||= isOver;
  const figure = whole === undefined ? `${count}` : `${value.toFixed(1)} % (${count} of ${whole})`;
  const unit = whole === undefined ? "" : " %";
  console.log(`${isOver ? "✗" : "✓"} ${title}: ${figure}, limit ${LIMITS[kind]}${unit}`);
  if (isOver && values.list === undefined) printFindings(found[kind].slice(0, 10));
}
if (values.list !== undefined) printFindings(found[values.list] ?? []);
if (values.folders) printFolders();
process.exitCode = failed ? 1 : 0;

function readSource(file) {
  const lines = readFileSync(file, "utf8").split("\n");
  const at = (pattern) =>
    lines.flatMap((line, index) => {
      const [, ...groups] = pattern.exec(line) ?? [];
      const text = groups.find(Boolean);
      return text === undefined ? [] : [{ file, line: index + 1, text }];
    });
  const opens = ({ line, text }) => {
    const [own = "", above = ""] = [lines[line - 1], lines[line - 2]];
    if (/^\s*\/\//.test(own)) return !/^\s*\/\//.test(above) && /^[A-Z@]/.test(text);
    if (/^\s*\/\*\*/.test(own)) return true;
    return /^\s*\/\*\*\s*$/.test(above);
  };
  return {
    comments: at(/^\s*(?:\/\*\*|\/\/|\*)\s+(.+?)(?:\s*\*\/)?$/).filter(opens),
    functions: at(
      /^\s*(?:export )?(?:default )?(?:async )?function\*? (\w+)|^\s*(?:export )?const (\w+)(?:: [^=]+)? = (?:async )?(?:\([^;]*\)|\w+)(?:: [^=]+)? =>/,
    ),
    declared: at(/^(?:export )?(?:async )?(?:function\*?|class|type|interface) (\w+)/),
  };
}

function firstWord(text) {
  return (/^\w+/.exec(text)?.[0] ?? "").toLowerCase();
}

function listRepeated() {
  const files = new Map();
  for (const { declared } of code)
    for (const each of declared) files.set(each.text, [...(files.get(each.text) ?? []), each]);
  const often = [...files.values()].filter(
    ([first, ...others]) =>
      !CONVENTIONAL.has(first.text) && new Set([first, ...others].map(({ file }) => file)).size > MOST_FILES,
  );
  return often.map(([first, ...others]) => ({
    ...first,
    text: `${first.text}, also in ${others.length} other places`,
  }));
}

function readPage(file) {
  const blocks = readFileSync(file, "utf8")
    .replaceAll(/```[\s\S]*?```/g, (code) => code.replaceAll(/[^\n]/g, ""))
    .split("\n")
    .reduce(addLine, [[]])
    .filter(({ length }) => length > 0);
  const texts = blocks.filter(([{ text }]) => !/^(?:#|\||<|>|---)/.test(text));
  const sentences = texts.flatMap((block) => {
    const joined = block.map(({ text }) => text).join(" ");
    return joined
      .split(/(?<=[.!?:;])\s+/)
      .filter((sentence) => sentence.split(/\s+/).length > MOST_WORDS)
      .map((text) => ({ file, line: block[0].line, text }));
  });
  const paragraphs = texts.filter((block) => block.length > MOST_LINES).map(([first]) => ({ ...first, file }));
  return { sentences, paragraphs };
}

/** A blank line and the start of a list item end a block. */
function addLine(blocks, text, index) {
  const isItem = /^\s*(?:[-*]|\d+\.)\s/.test(text);
  if (text.trim() === "") return [...blocks, []];
  const line = { line: index + 1, text: text.trim() };
  if (isItem || /^#/.test(text)) return [...blocks, [line]];
  return [...blocks.slice(0, -1), [...(blocks.at(-1) ?? []), line]];
}

function printFindings(findings) {
  for (const { file, line, text } of findings) console.log(`    ${file}:${line}  ${text.slice(0, 110)}`);
}

function printFolders() {
  const folderOf = ({ file }) => file.split("/").slice(0, 2).join("/");
  const folders = [...new Set(code.flatMap(({ comments }) => comments.map(folderOf)))].sort();
  console.log("\nfolder                 comments   names   verbless");
  for (const folder of folders) {
    const share = (kind, all) => {
      const whole = all.filter((each) => folderOf(each) === folder).length;
      const part = found[kind].filter((each) => folderOf(each) === folder).length;
      return `${((100 * part) / Math.max(1, whole)).toFixed(1)} %`.padStart(9);
    };
    const functions = code.flatMap((each) => each.functions);
    const comments = code.flatMap((each) => each.comments);
    console.log(
      `${folder.padEnd(20)}${share("comments", comments)}${share("names", functions)}${share("verbless", functions)}`,
    );
  }
}
