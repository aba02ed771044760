import { spliced } from "./parts/spliced.ts";
import { restoreBiomeSettings, restoreTypeSettings } from "./parts/type-settings.ts";

/** Says what a linter or a type checker accepts. Manifests say it in parts of them. How code is laid out is no demand. */
export function isCheckSettings(path: string): boolean {
  return TSCONFIG.test(path) || SETTINGS.test(path) || MANIFEST.test(path);
}

/** A manifest holds settings of checks beside everything else. */
export function isCheckManifest(path: string): boolean {
  return MANIFEST.test(path);
}

/** A project of TypeScript: other files extend it by its path. */
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
  /** Lines by which the project's commands are started. */
  readonly lines: readonly string[];
  /** Whether the old or the new tree has a file or folder there. */
  readonly wasThere: (path: string) => boolean;
  readonly isThere: (path: string) => boolean;
};

/**
 * The new text with what the old one demanded. What only says how the code is built stays as it is now: a stricter or
 * newer set-up of the project makes no difference.
 */
export function restoreCheckSettings(input: RestoreInput): string {
  const { path, before, after, lines } = input;
  if (TSCONFIG.test(path)) return restoreTypeSettings(input) ?? before;
  if (BIOME.test(path)) return restoreBiomeSettings(before, after) ?? before;
  if (!MANIFEST.test(path)) return before;
  return spliced({ path, code: after, exam: before, lines, checks: true }) ?? before;
}
