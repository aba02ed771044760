import type { Syntax } from "./code-mask.ts";

/** Appearance of tests in a language. Each pattern is matched against one line of code without comments and strings. */
export type TestLanguage = {
  readonly name: string;
  readonly files: RegExp;
  /** Names by which test programs find their files. */
  readonly named: RegExp;
  readonly syntax: Syntax;
  readonly tests: RegExp;
  readonly asserts: RegExp;
  /** Assertions that cannot fail. */
  readonly empty: RegExp;
  /** Always skipped. */
  readonly skips: RegExp;
  /** Skipped under a condition, or expected to fail. */
  readonly maybe: RegExp;
  /** All other tests are skipped. */
  readonly focus: RegExp;
  /** One test for many cases. */
  readonly cases: RegExp;
  /** Exits the test program successfully. */
  readonly exits: RegExp;
};

const C_LIKE: Syntax = { line: ["//"], block: ["/*", "*/"], quotes: '"', letters: true };
const NEVER = /(?!)/g;
const HELPERS = /(?<![\w$.])(?:expect|assert|verify|check)(?:[A-Z]|_[a-z])\w*\(/.source;

const javascript: TestLanguage = {
  name: "javascript",
  files: /\.(?:[cm]?[jt]sx?|vue|svelte)$/,
  named:
    /(?:[._-](?:test|spec|cy)s?\.[cm]?[jt]sx?|(?:^|\/)tests?\.[cm]?[jt]sx?|(?:^|\/)test[-_][^/]*\.[cm]?[jt]sx?)$|(?:^|\/)__tests__\//,
  syntax: { line: ["//"], block: ["/*", "*/"], quotes: "\"'", long: ["`"], regex: true },
  tests:
    /(?:(?<![\w$.])(?:it|test|specify|fit|xit|xtest|xspecify)|\bDeno\.test|\bQUnit\.test|(?<![\w$.])t\.test)(?:\.(?!describe|before|after|use\b|setTime|extend|step|expect|info)\w+)*[(`]/g,
  asserts: new RegExp(
    `(?<![\\w$.])expect(?:\\.(?:soft|poll))?\\(|(?<![\\w$])assert(?:\\.\\w+)*\\(|(?<![\\w$.])t\\.(?:is|not|true|false|truthy|falsy|ok|notOk|equal|equals|same|deepEqual|strictSame|like|match|regex|throws|rejects|throwsAsync|snapshot)\\(|\\.should\\b|(?<![\\w$.])(?:expectTypeOf|assertType)\\b|${HELPERS}`,
    "g",
  ),
  empty:
    /(?<![\w$.])expect\((?:true|false|null|undefined|!0|\d{1,9}|["'`] *["'`])\)\.|(?<![\w$])assert(?:\.(?:ok|equal|strictEqual|isTrue))?\((?:true|1)(?:, ?(?:true|1))?[,)]|(?<![\w$.])(?:expect|assert(?:\.ok)?)\([^;]{0,200}\|\| ?true\)/g,
  skips:
    /(?<![\w$.])(?:it|test|describe|suite|specify|context)(?:\.\w+){0,3}\.(?:skip|fixme)\b|(?<![\w$.])(?:xit|xdescribe|xtest|xspecify|xcontext)\b(?=[.(`])|[{,] ?skip: ?(?:true|["'`])|(?<![\w$.])(?:this|t|ctx|context)\.skip\(|\.skipIf\(true\)|\.runIf\(false\)/g,
  maybe: /\.(?:skipIf|runIf|todo|fails|failing)\b(?!\((?:true|false)\))/g,
  focus:
    /(?<![\w$.])(?:it|test|describe|suite|specify|context)(?:\.\w+){0,3}\.only\b|(?<![\w$.])(?:fit|fdescribe|fcontext)\b(?=[.(`])|[{,] ?only: ?true/g,
  cases: /\.(?:each|for)\b/g,
  exits:
    /\bprocess\.(?:exit\( ?0? ?\)|exitCode ?= ?0\b)|(?<![\w$])(?:global|globalThis|window)\.(?:expect|it|test|describe|assert) ?=(?!=)/g,
};

const python: TestLanguage = {
  name: "python",
  files: /\.py$/,
  named: /(?:^|\/)(?:test_[^/]*|[^/]*_test|tests?)\.py$/,
  syntax: { line: ["#"], quotes: "\"'", long: ['"""', "'''"] },
  tests: /^\s*(?:async )?def test\w*\(/g,
  asserts: new RegExp(
    `(?<![\\w.])assert(?=[ (])|\\bself\\.(?:assert\\w+|fail)\\(|\\bpytest\\.(?:raises|warns|fail)\\(|\\.assert_\\w+\\(|(?<!def )${HELPERS}`,
    "g",
  ),
  empty:
    /(?<![\w.])assert (?:True|1|not False)\s*(?:,|$)|(?<![\w.])assert .{0,200} or True\b|self\.assertTrue\(True\)|self\.assertEqual\(1, 1\)/g,
  skips:
    /\bpytest\.mark\.skip\b|@(?:unittest\.)?skip\b|\bpytest\.skip\(|\bself\.skipTest\(|\braise (?:unittest\.)?SkipTest\b|\bskip(?:if|If)\(True\b|\bskipUnless\(False\b|^\s*__test__ ?= ?False\b/g,
  maybe: /\bskip(?:if|If)\((?!True\b)|\bskipUnless\((?!False\b)|\bxfail\b|\bexpectedFailure\b|\bimportorskip\(/g,
  focus: NEVER,
  cases: /\bparametrize\(|\bsubTest\(|@(?:ddt|data)\b/g,
  exits: /(?<![\w.])(?:sys\.exit|os\._exit|exit|quit)\( ?0? ?\)/g,
};

const go: TestLanguage = {
  name: "go",
  files: /\.go$/,
  named: /_test\.go$/,
  syntax: { ...C_LIKE, long: ["`"], raw: "`" },
  tests: /^func (?:Test(?!Main\()|Fuzz|Example)\w*\(|\bt\.Run\(/g,
  asserts: new RegExp(
    `\\b(?:t|b|f|tb)\\.(?:Errorf?|Fatalf?|Fail|FailNow)\\(|(?<![\\w.])(?:assert|require)\\.\\w+\\(|(?<![\\w.])\\w+\\.(?:Not)?(?:Equal|Same|True|False|Nil|Error|NoError|Contains|Len|Match|Diff|Panics)\\w*\\((?:t|b|tb),|(?<!func )${HELPERS}`,
    "g",
  ),
  empty: /(?<![\w.])(?:assert|require)\.True\(\w+, true\)/g,
  skips: /\b(?:t|b|f|tb)\.Skip(?:f|Now)?\(/g,
  maybe: NEVER,
  focus: NEVER,
  cases: /\brange (?:tests|cases|tt|testCases|tcs)\b/g,
  exits: /\bos\.Exit\(0\)/g,
};

const rust: TestLanguage = {
  name: "rust",
  files: /\.rs$/,
  named: /(?:^|\/)tests\/[^/]+\.rs$|(?:^|\/)tests?\.rs$/,
  syntax: { ...C_LIKE, quotes: "", long: ['"'] },
  tests: /#\[(?:\w+::)?(?:test|rstest|test_case|wasm_bindgen_test)\b/g,
  asserts: /\b(?:debug_)?assert(?:_\w+)?!|#\[should_panic\b|\bpanic!/g,
  empty: /\bassert!\(true\b|\bassert_eq!\((?:true, true|1, 1)\)/g,
  skips: /#\[ignore\b/g,
  maybe: /\bcfg_attr\([^\n]{0,200}ignore\b/g,
  focus: NEVER,
  cases: /#\[(?:case|values|test_case)\b/g,
  exits: /\bprocess::exit\(0\)/g,
};

const jvm: TestLanguage = {
  name: "jvm",
  files: /\.(?:java|kt|scala|groovy)$/,
  named: /(?:Test|Tests|IT|Spec)\.(?:java|kt|scala|groovy)$|(?:^|\/)Test[A-Z]\w*\.java$/,
  syntax: { ...C_LIKE, long: ['"""'] },
  tests: /@(?:Test|ParameterizedTest|RepeatedTest|TestFactory)\b/g,
  asserts: /\bassert\w*\(|(?<![\w.])(?:verify|fail)\(|\bshould(?:Be|Throw|Equal)\b/g,
  empty: /\bassertTrue\(true\)|\bassertEquals\(1, 1\)/g,
  skips: /@(?:Disabled|Ignore)\b(?!\w)/g,
  maybe: /@(?:Disabled|Enabled)(?:On|If|For)\w+|\bassume(?:True|False|That)\(/g,
  focus: NEVER,
  cases: /@(?:ParameterizedTest|ValueSource|CsvSource|MethodSource)\b/g,
  exits: /\bSystem\.exit\(0\)/g,
};

const ruby: TestLanguage = {
  name: "ruby",
  files: /\.rb$/,
  named: /_(?:spec|test)\.rb$/,
  syntax: { line: ["#"], block: ["\n=begin", "\n=end"], quotes: "", long: ['"', "'"] },
  tests: /^\s*(?:[fx]?it|specify|scenario|test|example)(?= ?[("'{]| do\b)|^\s*def test_\w+/g,
  asserts: /(?<![\w.])expect(?=[ ({])|(?<![\w.])(?:assert|refute)\w*(?=[ (])|\.should(?:_not)?\b|\bmust_\w+/g,
  empty: /(?<![\w.])expect\((?:true|false|1)\)|(?<![\w.])assert true\b/g,
  skips: /^\s*(?:xit|xdescribe|xcontext|xspecify|skip|pending)\b|\bskip: ?(?:true|["'])/g,
  maybe: NEVER,
  focus: /^\s*(?:fit|fdescribe|fcontext)\b|\bfocus: ?true/g,
  cases: NEVER,
  exits: /(?<![\w.])exit!?(?:\(| )(?:0|true)\b/g,
};

const csharp: TestLanguage = {
  name: "csharp",
  files: /\.cs$/,
  named: /Tests?\.cs$/,
  syntax: C_LIKE,
  tests: /\[(?:Fact|Theory|Test|TestMethod|TestCase)\b/g,
  asserts: /\bAssert\.\w+|\.Should\(\)/g,
  empty: /\bAssert\.(?:True|IsTrue)\(true\)/g,
  skips: /\[Ignore\b|\bSkip ?=/g,
  maybe: NEVER,
  focus: NEVER,
  cases: /\[(?:InlineData|TestCase|DataRow)\b/g,
  exits: /\bEnvironment\.Exit\(0\)/g,
};

const php: TestLanguage = {
  name: "php",
  files: /\.php$/,
  named: /Test\.php$/,
  syntax: { line: ["//", "#"], block: ["/*", "*/"], quotes: "", long: ['"', "'"] },
  tests: /\bfunction test\w*\(|#\[Test\]|^\s*(?:it|test)\(/g,
  asserts: /(?:\$this->|self::|static::)(?:assert|expect)\w*\(|(?<![\w>$])expect\(/g,
  empty: /->assertTrue\(true\)/g,
  skips: /\bmarkTest(?:Skipped|Incomplete)\(|\)->skip\(/g,
  maybe: NEVER,
  focus: /\)->only\(/g,
  cases: /@dataProvider|#\[DataProvider|->with\(/g,
  exits: /(?<![\w>$])(?:exit|die)\(0?\)/g,
};

const LANGUAGES = [javascript, python, go, rust, jvm, ruby, csharp, php];

export function getTestLanguage(path: string): TestLanguage | undefined {
  return LANGUAGES.find((language) => language.files.test(path));
}

/** Not collected, or broken on purpose. */
const NO_TESTS =
  /(?:^|\/)(?:fixtures|__fixtures__|testdata|test-data|__mocks__|mocks|fakes|__snapshots__|node_modules|vendor|dist)\//;
const TEST_FOLDER = /(?:^|\/)(?:tests?|specs?|e2e|__tests__|integration)\//;
const SET_UP =
  /(?:^|\/)(?:conftest\.py|(?:jest|vitest)[.-]setup\.[cm]?[jt]s|setup-?[Tt]ests?\.[cm]?[jt]sx?|(?:test|spec)_helper\.rb)$/;

/** Ranks the path. 2: found by its name. 1: located among tests, or test set-up. 0: not a test by its path. */
export function rankTestFile(path: string, language: TestLanguage): 0 | 1 | 2 {
  if (NO_TESTS.test(path)) return 0;
  if (language.named.test(path)) return 2;
  return TEST_FOLDER.test(path) || SET_UP.test(path) ? 1 : 0;
}
