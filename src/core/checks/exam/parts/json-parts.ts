import { canonical } from "../../../text/json.ts";
import { matchesAny } from "../../guard/glob.ts";
import { ELSEWHERE } from "../locks/replaced-in-manifest.ts";
import { listScriptNames } from "../started-programs.ts";
import type { SpliceSides } from "./combine-parts.ts";
import { isProductKey } from "./manifest-keys.ts";

type JsonFields = Readonly<Record<string, unknown>>;

/**
 * Splices a JSON manifest: settings of test programs and the scripts that start tests are exam, the rest is code.
 * Returns undefined if one side is not JSON.
 */
export function combineJsonParts({
  path,
  code,
  exam,
  lines = [],
  wide = false,
  checks = false,
}: SpliceSides): string | undefined {
  const [own, other] = [parseJsonFields(code), parseJsonFields(exam)];
  if (!own || !other) return undefined;
  const mixed = combineFieldParts({ path, code: own, exam: other, lines, wide, checks });
  if (canonical(mixed) === canonical(own)) return code;
  if (canonical(mixed) === canonical(other)) return exam;
  if (Object.keys(mixed).length === 0) return "";
  const indent = /^\{\r?\n([ \t]+)/.exec(code || exam)?.[1] ?? "  ";
  return `${JSON.stringify(mixed, null, indent)}\n`;
}

/** Serializes the packages that a manifest requests, so that equal texts mean equal requests. */
export function serializePackages(text: string): string {
  const fields = parseJsonFields(text) ?? {};
  return canonical(PACKAGES.map((key) => fields[key] ?? null));
}

const PACKAGES = [
  ..."dependencies devDependencies peerDependencies optionalDependencies overrides resolutions engines".split(" "),
  ..."packageManager pnpm workspaces imports require require-dev".split(" "),
];
const PROGRAMS =
  /^(?:@?vitest|@?jest|jest-[\w-]+|ts-jest|babel-jest|mocha|ava|tap|c8|nyc|chai|expect|karma|@?playwright|cypress|uvu|tape|jasmine|sinon|wdio|testem|babel|swc|phpunit|pest)(?:$|\/)/;
/** Sections whose entries are handled one by one. */
const NAMED = ["scripts", "tasks", "targets"] as const;

function parseJsonFields(text: string): JsonFields | undefined {
  if (text === "") return {};
  try {
    const value: unknown = JSON.parse(text.startsWith("\uFEFF") ? text.slice(1) : text);
    return isFields(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isFields(value: unknown): value is JsonFields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

type FieldSplice = {
  readonly path: string;
  readonly code: JsonFields;
  readonly exam: JsonFields;
  readonly lines: readonly string[];
  readonly wide: boolean;
  readonly checks: boolean;
};

/** Sections with settings of linters and type checkers. */
const CHECKS = /^(?:eslintConfig|eslintIgnore|stylelint|xo|standard|knip|biome|oxlint|tslint)$/;
const DENO_CHECKS = /^(?:lint|compilerOptions)$/;

function combineFieldParts({ path, code, exam, lines, wide, checks }: FieldSplice): JsonFields {
  const isCheck = (key: string) => checks && (/\bdeno\.jsonc?$/.test(path) ? DENO_CHECKS : CHECKS).test(key);
  const mayBe = (key: string) => wide && !isProductKey(path, key) && isOther(code, exam, key);
  const isExam = (key: string) => PROGRAMS.test(key) || key === "test" || mayBe(key) || isCheck(key);
  const plain = replaceFields({ code, exam, isExam });
  return NAMED.reduce(
    (fields, key) => withNamed({ fields, key, code: code[key], exam: exam[key], lines, wide }),
    plain,
  );
}

/** Returns whether the key existed before and changed. */
function isOther(code: JsonFields, exam: JsonFields, key: string): boolean {
  return Object.hasOwn(exam, key) && canonical(code[key] ?? null) !== canonical(exam[key] ?? null);
}

type NamedField = {
  readonly fields: JsonFields;
  readonly key: string;
  readonly code: unknown;
  readonly exam: unknown;
  readonly lines: readonly string[];
  readonly wide: boolean;
};

function withNamed({ fields, key, code, exam, lines, wide }: NamedField): JsonFields {
  const [own, other] = [isFields(code) ? code : {}, isFields(exam) ? exam : {}];
  const started = collectStartedScripts(other, lines);
  const mayBe = (name: string) => wide && isOther(own, other, name);
  const isExam = (name: string) => TEST_NAME.test(name) || started.has(name) || mayBe(name);
  const inner = replaceFields({ code: own, exam: other, isExam });
  if (Object.keys(inner).length === 0 && !isFields(code)) return fields;
  return put(fields, key, inner);
}

/** Returns the code's entries in their order, with its exam entries replaced by those of the exam. */
function replaceFields(side: { code: JsonFields; exam: JsonFields; isExam: (key: string) => boolean }): JsonFields {
  const kept = Object.keys(side.code).filter((key) => !side.isExam(key) || Object.hasOwn(side.exam, key));
  const more = Object.keys(side.exam).filter((key) => side.isExam(key) && !Object.hasOwn(side.code, key));
  return Object.fromEntries([...kept, ...more].map((key) => [key, (side.isExam(key) ? side.exam : side.code)[key]]));
}

function put(fields: JsonFields, key: string, value: unknown): JsonFields {
  const rest = Object.entries(fields).map(([name, old]) => [name, name === key ? value : old] as const);
  return Object.fromEntries(Object.hasOwn(fields, key) ? rest : [...rest, [key, value]]);
}

const TEST_NAME = /^(?:pre|post)?tests?(?:$|[:_.-])/;

/** Returns the scripts of a manifest; none if it is not JSON. */
export function readManifestScripts(text: string): JsonFields {
  return getFieldPart(parseJsonFields(text) ?? {}, "scripts");
}

/**
 * Collects scripts that test or that a line calls, and those that these call. Pre and post scripts need not exist yet.
 */
export function collectStartedScripts(scripts: JsonFields, lines: readonly string[]): ReadonlySet<string> {
  const named = Object.keys(scripts).filter((name) => TEST_NAME.test(name));
  const started = new Set([...named, ...lines.flatMap((line) => listCalledScripts(line, scripts))]);
  // A set iterates over elements that are added during the iteration.
  for (const name of started) {
    for (const each of listCalledScripts(String(scripts[name]), scripts)) started.add(each);
  }
  return started;
}

function listCalledScripts(line: string, scripts: JsonFields): readonly string[] {
  const calls = [...listScriptNames(line), ...(INSTALLS.test(line) ? INSTALL : [])];
  const called = Object.keys(scripts).filter((script) => matchesAny(script, calls));
  return called.flatMap((call) => [`pre${call}`, call, `post${call}`]);
}

/** Scripts that package managers run during an install. */
const INSTALL = [
  ..."preinstall install postinstall prepublish preprepare prepare postprepare dependencies".split(" "),
  "pnpm:devPreinstall",
];
const INSTALLS =
  /(?:^|[\s;&|])(?:(?:npm|pnpm|bun)\s+(?:ci|i|install|clean-install)|yarn(?:\s+install|\s+--|\s*$))(?=$|[\s;&|])/;

/**
 * Returns whether the code can replace a test program. Installed packages and install scripts come with the code, which
 * can replace one through other scripts or another source. A name that the manifest maps to a file can change what a
 * test imports.
 */
export function mayReplacePrograms({ code, exam }: SpliceSides): boolean {
  const [own, other] = [parseJsonFields(code) ?? {}, parseJsonFields(exam) ?? {}];
  const install = (fields: JsonFields) =>
    canonical(INSTALL.map((name) => getFieldPart(fields, "scripts")[name] ?? null));
  if (install(own) !== install(other) || isNameRedirected(own, other) || isSourceChanged(own, other)) return true;
  return canonical(listForeignPrograms(own)) !== canonical(listForeignPrograms(other));
}

/** Returns whether an existing name now refers to another file. A new name does not affect old tests. */
function isNameRedirected(now: JsonFields, before: JsonFields): boolean {
  return ["imports", "exports"].some((key) => {
    const [own, other] = [toTargets(now[key]), toTargets(before[key])];
    const patterns = Object.keys(other).filter((name) => name.includes("*") || name.endsWith("/"));
    const isHidden = (name: string) => patterns.some((pattern) => name.startsWith(pattern.replace(/\*.*$/, "")));
    const added = Object.keys(own).filter((name) => !Object.hasOwn(other, name));
    // Compared in order, because the first matching condition applies.
    const isOther = (name: string) => JSON.stringify(own[name]) !== JSON.stringify(other[name]);
    return Object.keys(other).some(isOther) || added.some(isHidden);
  });
}

/** A single target for the whole package applies to `.`. */
function toTargets(value: unknown): JsonFields {
  if (value === undefined) return {};
  return isFields(value) && Object.keys(value).every((name) => /^[.#]/.test(name)) ? value : { ".": value };
}

/** Returns whether a requested package is or was not a release, so that tests may now use another one. */
function isSourceChanged(now: JsonFields, before: JsonFields): boolean {
  return PACKAGES.some((key) => {
    const [own, other] = [getFieldPart(now, key), getFieldPart(before, key)];
    const shared = Object.keys(other).filter((name) => Object.hasOwn(own, name));
    const isElsewhere = (name: string) => [own, other].some((part) => ELSEWHERE.test(String(part[name])));
    return shared.some((name) => isOther(own, other, name) && isElsewhere(name));
  });
}

function listForeignPrograms(fields: JsonFields): readonly (readonly [string, string])[] {
  const asked = PACKAGES.flatMap((key) => Object.entries(getFieldPart(fields, key)));
  return asked
    .map(([name, version]) => [name, String(version)] as const)
    .filter(([name, version]) => PROGRAMS.test(name) && ELSEWHERE.test(version))
    .sort(([a], [b]) => (a < b ? -1 : 1));
}

function getFieldPart(fields: JsonFields, key: string): JsonFields {
  const part = fields[key];
  return isFields(part) ? part : {};
}
