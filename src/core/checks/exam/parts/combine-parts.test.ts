import { expect, test } from "vitest";
import { combineParts, combineWithOldTexts, isUndermining } from "./combine-parts.ts";

const json = (value: unknown) => JSON.stringify(value);
const packages = (code: unknown, exam: unknown) =>
  combineParts({ path: "package.json", code: json(code), exam: json(exam) });

test("[A-26] scripts that test scripts call are the exam, with what npm runs before and after them", () => {
  const exam = {
    scripts: { test: "run-s lint unit:*", lint: "l", "unit:a": "u", pretest: "p", prelint: "pl", dev: "d" },
  };
  const code = { scripts: { test: "true", lint: "true", dev: "e", posttest: "q" } };
  expect(JSON.parse(packages(code, exam) ?? "")).toEqual({
    scripts: { test: "run-s lint unit:*", lint: "l", dev: "e", "unit:a": "u", pretest: "p", prelint: "pl" },
  });
});

test("[A-26] a side without the file has no exam, or no code", () => {
  const own = { name: "p", scripts: { test: "t", build: "b" }, vitest: { x: 1 } };
  expect(JSON.parse(combineParts({ path: "package.json", code: json(own), exam: "" }) ?? "")).toEqual({
    name: "p",
    scripts: { build: "b" },
  });
  expect(JSON.parse(combineParts({ path: "package.json", code: "", exam: json(own) }) ?? "")).toEqual({
    scripts: { test: "t" },
    vitest: { x: 1 },
  });
});

test("a text stays byte for byte if only one side changed", () => {
  const odd = '{ "name":   "p",\n"scripts": {"test": "t"} }';
  expect(packages({ name: "q" }, JSON.parse(odd))).toContain('"q"');
  expect(combineParts({ path: "package.json", code: odd, exam: json({ scripts: { test: "t" } }) })).toBe(odd);
  expect(combineParts({ path: "package.json", code: json({ name: "p", scripts: { test: "x" } }), exam: odd })).toBe(
    odd,
  );
});

test("the indentation is that of the code, and a name such as __proto__ is only a name", () => {
  const code = '{\n\t"__proto__": { "a": 1 },\n\t"scripts": { "test": "x" }\n}\n';
  const made = combineParts({ path: "package.json", code, exam: json({ scripts: { test: "y" } }) }) ?? "";
  expect(made).toContain('\n\t"__proto__"');
  expect(Object.keys(JSON.parse(made))).toEqual(["__proto__", "scripts"]);
});

test.each(["", "[]", "null", "{", "3"])("[A-26] a package.json that reads %j gives no half", (text) => {
  const made = combineParts({ path: "package.json", code: text, exam: json({ jest: {} }) });
  expect(made).toBe(text === "" ? json({ jest: {} }) : undefined);
});

test("[A-26] dependencies that replace a test program undermine the exam; new versions and other packages do not", () => {
  const undermined = (code: unknown) =>
    isUndermining({ path: "package.json", code: json(code), exam: json({ devDependencies: { vitest: "^4" } }) });
  expect(undermined({ devDependencies: { vitest: "^5", left: "file:./left" } })).toBe(false);
  expect(undermined({ devDependencies: { vitest: "file:./fake" } })).toBe(true);
  expect(undermined({ overrides: { "@vitest/runner": "npm:fake@1" } })).toBe(true);
  expect(undermined({ scripts: { prepare: "node patch.js" } })).toBe(true);
});

test("[A-26] a package that is taken from another folder than before undermines the exam; one that is new does not", () => {
  const undermined = (now: object, before: object) =>
    isUndermining({
      path: "package.json",
      code: json({ devDependencies: now }),
      exam: json({ devDependencies: before }),
    });
  expect(undermined({ kit: "file:./near" }, { kit: "file:./exact" })).toBe(true);
  expect(undermined({ kit: "file:./near" }, { kit: "^1" })).toBe(true);
  expect(undermined({ kit: "^2" }, { kit: "^1" })).toBe(false);
  expect(undermined({ kit: "file:./near" }, {})).toBe(false);
});

const widely = (path: string, before: string, after: string) => combineWithOldTexts({ path, before, after, lines: [] });

test("[A-26] changed keys of a package.json that are not known product keys may be exam", () => {
  const before = { name: "p", version: "1", acceptance: { total: 20 }, scripts: { test: "t", verify: "v" } };
  const after = { name: "p", version: "2", acceptance: { total: 18 }, scripts: { test: "t", verify: "v 5" } };
  expect(JSON.parse(widely("package.json", json(before), json(after)) ?? "")).toEqual({ ...before, version: "2" });
  const { acceptance: _gone, ...without } = after;
  expect(widely("package.json", json(before), json(without))).toContain('"total": 20');
});

test("product keys and new keys of a package.json belong to the code", () => {
  const before = { name: "p", version: "1", exports: "./a.js", dependencies: { a: "1" }, scripts: { test: "t" } };
  const after = {
    ...{ name: "p", version: "2", exports: "./b.js", dependencies: { a: "2" }, prettier: {} },
    scripts: { test: "t", docs: "d" },
  };
  expect(widely("package.json", json(before), json(after))).toBeUndefined();
});

test.each([
  ["pyproject.toml", '[project]\nversion = "1"\n', "[tool.acceptance]\n"],
  ["setup.cfg", "[metadata]\nversion = 1\n", "[acceptance]\n"],
  ["Cargo.toml", '[package]\nversion = "1"\n', "[package.metadata.acceptance]\n"],
  ["setup.cfg", "[options]\nzip_safe = 1\n", "[metadata]\n"],
])("[A-26] a section of %s that nobody knows may be the exam's where it changed", (path, head, section) => {
  const text = (version: string, total: string) => `${head.replace("1", version)}${section}total = ${total}\n`;
  expect(widely(path, text("1", "20"), text("2", "18"))).toBe(text("2", "20"));
  expect(widely(path, text("1", "20"), text("2", "20"))).toBeUndefined();
  expect(widely(path, head, text("2", "18"))).toBeUndefined();
});

test("product sections and new sections of a pyproject.toml belong to the code", () => {
  const before = '[project]\nname = "p"\nversion = "1"\ndependencies = [\n  "a==1",\n]\n';
  const after = '[project]\nname = "p"\nversion = "2"\ndependencies = [\n  "a==2",\n  "b",\n]\n[tool.ruff]\nx = 1\n';
  expect(widely("pyproject.toml", before, after)).toBeUndefined();
});

test("a table of TOML that is put back takes its subtables along, so that no key is defined twice", () => {
  const before = '[tool.ruff]\nlint.ignore = ["E501"]\n';
  const after = '[tool.ruff.lint]\nignore = ["E501"]\n\n[project]\nversion = "2"\n';
  expect(widely("pyproject.toml", before, after)).toBe(`${before}[project]\nversion = "2"\n`);
});

test("[A-26] a package that another folder is taken for may be the exam's", () => {
  const text = (folder: string, rest: string) =>
    `[dev-dependencies]\nkit = { path = "${folder}" }\n[dependencies]\n${rest}`;
  expect(widely("Cargo.toml", text("exact", 'a = "1"\n'), text("near", 'a = "2"\n'))).toContain('"exact"');
  expect(widely("Cargo.toml", text("exact", 'a = "1"\n'), text("exact", 'a = "2"\n'))).toBeUndefined();
});

test("[A-26] where go.mod takes modules from may be the exam's, what it asks for is not", () => {
  const text = (version: string, replace: string) => `module shop\n\nrequire kit ${version}\n\n${replace}\n`;
  const before = text("v1", "replace kit => ./exact");
  expect(widely("go.mod", before, text("v2", "replace (\n\tkit => ./near\n)"))).toBe(
    "module shop\n\nrequire kit v2\n\n\nreplace kit => ./exact\n",
  );
  expect(widely("go.mod", before, text("v2", "replace (\n\tkit => ./exact // as ever\n)"))).toBeUndefined();
  expect(widely("go.mod", text("v1", ""), before)).not.toContain("replace");
});

test("[A-26] a name that the manifest leads to another file undermines the exam; one that is only new does not", () => {
  const exam = { imports: { "#till/*": "./src/*" }, exports: { ".": { import: "./a.js", default: "./b.js" } } };
  const undermined = (more: object, old: object = exam) =>
    isUndermining({ path: "package.json", code: json({ ...old, ...more }), exam: json(old) });
  expect(undermined({ version: "2" })).toBe(false);
  expect(undermined({ imports: { ...exam.imports, "#other": "./o.js" } })).toBe(false);
  expect(undermined({ exports: { ...exam.exports, "./more": "./m.js" } })).toBe(false);
  expect(undermined({ imports: { "#till/*": "./compat/*" } })).toBe(true);
  expect(undermined({ imports: { ...exam.imports, "#till/price.js": "./compat/price.js" } })).toBe(true);
  expect(undermined({ exports: { ".": { default: "./b.js", import: "./a.js" } } })).toBe(true);
  expect(undermined({ exports: "./c.js" })).toBe(true);
  expect(undermined({ exports: "./c.js" }, { name: "p" })).toBe(false);
});

const PYTHON = `[project]
version = "1"
dependencies = [
  "a",
  ["not a section"],
]

[tool.pytest.ini_options]
addopts = "-q"
text = """
[project]
"""

[tool.ruff]
line-length = 100
`;

test("[A-26] sections of test programs stay, whatever stands in brackets or long strings", () => {
  const code = PYTHON.replace('"1"', '"2"').replace("-q", "-k nothing");
  const made = combineParts({ path: "pyproject.toml", code, exam: PYTHON });
  expect(made).toBe(PYTHON.replace('"1"', '"2"'));
});

test("[A-26] a section that was added, quoted or moved is still known", () => {
  const plain = '[project]\nname = "p"\n';
  const code = `${plain}version = "2"\n[tool . "pytest".ini_options]\naddopts = "-k x"\n[project.entry-points.pytest11]\np = "p"\n`;
  expect(combineParts({ path: "pyproject.toml", code, exam: plain })).toBe(`${plain}version = "2"\n`);
  const back = combineParts({ path: "pyproject.toml", code: plain, exam: code });
  expect(back).toBe(
    `${plain}[tool . "pytest".ini_options]\naddopts = "-k x"\n[project.entry-points.pytest11]\np = "p"\n`,
  );
});

test.each([
  'tool.pytest.ini_options.addopts = "-k x"\n[project]\n',
  '"tool".pytest.ini_options.addopts = "-k x"\n[project]\n',
  '[tool]\npytest.ini_options = { addopts = "-k x" }\n',
  'a = [\n"never closed"\n]]\n',
  'tool = { pytest = { ini_options = { addopts = "-p compat" } } }\n',
  '"t\\u006fol".pytest.ini_options.addopts = "-p compat"\n',
  '[project]\nname = "p"\n["t\\u006fol".pytest.ini_options]\naddopts = "-p compat"\n',
  '[project]\n[a."]".b]\n',
  '[project]\nentry-points = { pytest11 = { p = "p" } }\n',
  "[project]\n# x\r[tool.pytest.ini_options]\r\n",
])("[A-26] settings that reach into a section from outside cannot be told apart", (code) => {
  expect(combineParts({ path: "pyproject.toml", code, exam: PYTHON })).toBeUndefined();
});

test("[A-26] setup.cfg has its sections too, and values over several lines", () => {
  const exam = "[metadata]\nname = p\n[tool:pytest]\naddopts =\n    [x]\n";
  const code = "[metadata]\nname = q\n[tool:pytest]\naddopts = -k no\n";
  expect(combineParts({ path: "setup.cfg", code, exam })).toBe(
    "[metadata]\nname = q\n[tool:pytest]\naddopts =\n    [x]\n",
  );
});

test.each(["\r", "\v", "\f", "\u001c", "\u001d", "\u001e", "\u0085", "\u2028", "\u2029"])(
  "[A-26] a section behind the line end %j cannot be told apart",
  (end) => {
    const code = `[metadata]\nname = p\n# version${end}[tool:pytest]${end}addopts = -p compat\n`;
    expect(combineParts({ path: "setup.cfg", code, exam: "[metadata]\nname = p\n" })).toBeUndefined();
  },
);

test("files with Windows line ends are separated too", () => {
  const text = (name: string, options: string) =>
    `[metadata]\r\nname = ${name}\r\n[tool:pytest]\r\naddopts = ${options}\r\n`;
  expect(combineParts({ path: "setup.cfg", code: text("q", "-k no"), exam: text("p", "-q") })).toBe(text("q", "-q"));
});

const rust = (code: string, body: string) =>
  `fn f() -> char { ${code} }\n\n#[cfg(test)]\n#[allow(x)]\nmod tests {\n    ${body}\n}\n\nfn last() {}\n`;

test("[A-26] a Rust test module is separated by its braces, not by those in strings", () => {
  const exam = rust("'a'", 'assert_eq!("}{", "{"); // }');
  const made = combineParts({ path: "src/lib.rs", code: rust("'{'", ""), exam });
  expect(made).toBe(rust("'{'", 'assert_eq!("}{", "{"); // }'));
});

test("[A-26] tests that were taken out of a Rust file come back at its end, and new ones go", () => {
  const bare = "fn f() { 2 }\n";
  const tested = "fn f() { 1 }\n#[cfg(test)]\nmod tests { x }\n";
  expect(combineParts({ path: "a.rs", code: bare, exam: tested })).toBe(`${bare}#[cfg(test)]\nmod tests { x }\n`);
  expect(combineParts({ path: "a.rs", code: tested, exam: bare })).toBe("fn f() { 1 }\n");
});

test("[A-26] other test-only items stay with the code, and differences are reported", () => {
  const with_ = (body: string, code: string) =>
    `impl F {\n    #[cfg(test)]\n    fn new() { ${body} }\n    fn g() { ${code} }\n}\n`;
  const sides = (code: string, exam: string) => ({ path: "a.rs", code, exam });
  expect(isUndermining(sides(with_("1", "1"), with_("1", "2")))).toBe(false);
  expect(isUndermining(sides(with_("1", "1"), with_("2", "1")))).toBe(true);
  expect(combineParts(sides("fn f() {", "fn f() {}"))).toBeUndefined();
});

test("a build file in a custom language cannot be separated", () => {
  expect(combineParts({ path: "pom.xml", code: "<a/>", exam: "<b/>" })).toBeUndefined();
});
