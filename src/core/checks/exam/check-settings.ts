import { combineParts } from "./parts/combine-parts.ts";
import { restoreBiomeSettings, restoreTypeSettings } from "./parts/type-settings.ts";

/**
 * Returns whether the file configures what a linter or a type checker accepts. Manifests do so in parts. Code layout is
 * not a requirement.
 */
export function isCheckSettings(path: string): boolean {
  return TSCONFIG.test(path) || SETTINGS.test(path) || MANIFEST.test(path);
}

/** Returns whether the manifest contains check settings among other content. */
export function isCheckManifest(path: string): boolean {
  return MANIFEST.test(path);
}

/** Returns whether the file is a TypeScript project, which other files extend by its path. */
export function isTypeSettings(path: string): boolean {
  return TSCONFIG.test(path);
}

const TSCONFIG = /(?:^|\/)[tj]sconfig(?:[.-][\w-]+)*\.json$/;
const MANIFEST = /(?:^|\/)(?:package\.json|deno\.jsonc?|pyproject\.toml|setup\.cfg)$/;
const BIOME = /(?:^|\/)\.?biome\.jsonc?$/;
const SETTINGS = new RegExp(
  `(?:^|/)(?:${[
    /\.?(?:eslint|stylelint|oxlint|xo|knip|biome)(?:[.-][\w-]+)*\.(?:jsonc?|ya?ml|toml)|(?:eslint|stylelint|oxlint|xo|knip)(?:[.-]\w+)*\.config\.[cm]?[jt]s/,
    /\.(?:eslint|stylelint|oxlint|xo)rc(?:\.\w+)?|\.(?:eslint|stylelint|markdownlint)ignore|tslint\.json|\.xo-config(?:\.\w+)?/,
    /\.?ruff\.toml|\.?mypy\.ini|pyrightconfig\.json|\.pyre_configuration|\.flake8|\.?pylintrc(?:\.toml)?|tox\.ini/,
    /\.golangci\.\w+|staticcheck\.conf|\.?clippy\.toml|\.rubocop\w*\.yml|\.shellcheckrc|\.clang-tidy/,
    /\.yamllint(?:\.\w+)?|\.markdownlint(?:\.\w+)?/,
  ]
    .map(({ source }) => source)
    .join("|")})$`,
);

export type RestoreInput = {
  readonly path: string;
  readonly before: string;
  readonly after: string;
  /** Lines that start the project's commands. */
  readonly lines: readonly string[];
  /** Returns whether the old tree has a file or folder at this path. */
  readonly wasThere: (path: string) => boolean;
  readonly isThere: (path: string) => boolean;
};

/**
 * Returns the new text with the requirements of the old one. Settings that only affect how code is built stay new: a
 * stricter or newer project set-up makes no difference.
 */
export function restoreCheckSettings(input: RestoreInput): string {
  const { path, before, after, lines } = input;
  if (TSCONFIG.test(path)) return restoreTypeSettings(input) ?? before;
  if (BIOME.test(path)) return restoreBiomeSettings(before, after) ?? before;
  if (!MANIFEST.test(path)) return before;
  return combineParts({ path, code: after, exam: before, lines, checks: true }) ?? before;
}
