import { canonical } from "../../../text/json.ts";
import { maskComments } from "../../tamper/code-mask.ts";
import type { RestoreInput } from "../check-settings.ts";

type CompilerFields = Readonly<Record<string, unknown>>;

/** Options for what the compiler reports. Every other option is about what it reads and writes. */
const DEMANDS = new Set(
  [
    "strict noImplicitAny strictNullChecks strictFunctionTypes strictBindCallApply strictPropertyInitialization",
    "strictBuiltinIteratorReturn noImplicitThis useUnknownInCatchVariables alwaysStrict noUnusedLocals",
    "noUnusedParameters exactOptionalPropertyTypes noImplicitReturns noFallthroughCasesInSwitch",
    "noUncheckedIndexedAccess noImplicitOverride noPropertyAccessFromIndexSignature allowUnusedLabels",
    "allowUnreachableCode noUncheckedSideEffectImports forceConsistentCasingInFileNames skipLibCheck",
    "skipDefaultLibCheck allowJs checkJs noCheck isolatedModules isolatedDeclarations erasableSyntaxOnly",
    "suppressImplicitAnyIndexErrors suppressExcessPropertyErrors noStrictGenericChecks keyofStringsOnly",
  ].flatMap((line) => line.split(" ")),
);
/** Options that a newly extended file may set differently from the compiler's defaults. */
const DEFAULTS: CompilerFields = { skipLibCheck: false, noCheck: false };

/**
 * Restores the requirements of the old TypeScript project in the new one, for all files that it checked. Returns
 * undefined if a text cannot be read.
 */
export function restoreTypeSettings({ path, before, after, wasThere, isThere }: RestoreInput): string | undefined {
  const [then, now] = [parseFields(before), parseFields(after)];
  if (!then || !now) return undefined;
  const home = path.replace(/[^/]*$/, "");
  const within = (entry: unknown) => `${home}${String(entry).replace(/^\.\//, "")}`;
  const [old, own] = [toSettingsFields(then["compilerOptions"]), toSettingsFields(now["compilerOptions"])];
  const isExtendedNow = now["extends"] !== undefined && then["extends"] === undefined;
  const built = Object.entries(own).filter(([key]) => !DEMANDS.has(key));
  const demanded = Object.entries(old).filter(([key]) => DEMANDS.has(key));
  const paths = { ...toSettingsFields(own["paths"]), ...toSettingsFields(old["paths"]) };
  const restored: Record<string, unknown> = {
    ...now,
    compilerOptions: {
      ...Object.fromEntries(built),
      ...(isExtendedNow ? DEFAULTS : {}),
      ...Object.fromEntries(demanded),
      ...(Object.keys(paths).length > 0 ? { paths } : {}),
    },
    extends: then["extends"] ?? now["extends"],
    include: mergeLists(then["include"], now["include"]),
    files: mergeLists(then["files"], now["files"])?.filter((entry) => isThere(within(entry))),
    references: mergeLists(then["references"], now["references"])?.filter((each) =>
      isThere(within(toSettingsFields(each)["path"])),
    ),
    exclude: listOf(now["exclude"]).filter(
      (entry) => listOf(then["exclude"]).includes(entry) || !(isGlob(entry) || wasThere(within(entry))),
    ),
  };
  // The compiler checks all files if both lists are absent.
  if (then["include"] === undefined && then["files"] === undefined) {
    delete restored["files"];
    if (isExtendedNow) restored["include"] = ["**/*"];
    else delete restored["include"];
  }
  if (then["exclude"] === undefined && listOf(restored["exclude"]).length === 0) delete restored["exclude"];
  return writeFields(restored, [
    [now, after],
    [then, before],
  ]);
}

/** Returns Biome's old settings with the new layout of the code. */
export function restoreBiomeSettings(before: string, after: string): string | undefined {
  const [then, now] = [before === "" ? {} : parseFields(before), parseFields(after)];
  if (!then || !now) return undefined;
  const getLayout = (key: string) => toSettingsFields(now[key])["formatter"];
  const languages = ["javascript", "json", "css", "html", "graphql"].filter((key) => now[key] ?? then[key]);
  const restored = {
    ...then,
    formatter: now["formatter"],
    ...Object.fromEntries(languages.map((key) => [key, { ...toSettingsFields(then[key]), formatter: getLayout(key) }])),
  };
  return writeFields(restored, [
    [now, after],
    [then, before],
  ]);
}

/** Retains the text of a side with equal content. */
function writeFields(fields: CompilerFields, sides: readonly (readonly [CompilerFields, string])[]): string {
  const text = JSON.stringify(fields, null, 2);
  const written = canonical(JSON.parse(text));
  return sides.find(([side]) => canonical(side) === written)?.[1] ?? `${text}\n`;
}

/** Returns undefined if one is absent: no list means everything, or nothing to add. */
function mergeLists(then: unknown, now: unknown): readonly unknown[] | undefined {
  if (!Array.isArray(then)) return Array.isArray(now) ? now : undefined;
  const known = new Set(then.map((each) => JSON.stringify(each)));
  return [...then, ...listOf(now).filter((each) => !known.has(JSON.stringify(each)))];
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function isGlob(entry: unknown): boolean {
  return /[*?]/.test(String(entry));
}

function toSettingsFields(value: unknown): CompilerFields {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as CompilerFields) : {};
}

/** Accepts comments and trailing commas, like the compiler. */
function parseFields(text: string): CompilerFields | undefined {
  const plain = maskComments(text, { line: ["//"], block: ["/*", "*/"], quotes: '"' }).replaceAll(/,(\s*[}\]])/g, "$1");
  try {
    const value: unknown = JSON.parse(plain.replace(/^\uFEFF/, ""));
    return typeof value === "object" && value !== null ? toSettingsFields(value) : undefined;
  } catch {
    return undefined;
  }
}
