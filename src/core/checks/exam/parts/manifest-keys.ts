/**
 * Returns whether the product determines this part of a manifest. The reader of any other part is unknown: a test may
 * derive expectations from it.
 */
export function isProductKey(path: string, key: string): boolean {
  const [, known] = KEYS.find(([file]) => file.test(path)) ?? [];
  return known?.has(key) ?? false;
}

/** Returns the same for a section of TOML or INI, by its name. */
export function isProductSection(name: string): boolean {
  return SECTIONS.test(name);
}

/** Returns the same for a key of a section with its own keys; in other sections keys are names of packages or files. */
export function isProductEntry(section: string, key: string): boolean {
  return !OWN_KEYS.test(section) || ENTRIES.has(key);
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(" "));

/** `scripts`, `tasks` and `targets` are handled one by one. */
const KEYS: readonly (readonly [file: RegExp, keys: ReadonlySet<string>])[] = [
  [
    /(?:^|\/)package\.json$/,
    words(
      "name version files exports imports main module browser bin types typings typesVersions type sideEffects scripts dependencies devDependencies peerDependencies peerDependenciesMeta bundleDependencies bundledDependencies optionalDependencies overrides resolutions engines private workspaces packageManager pnpm",
    ),
  ],
  [
    /(?:^|\/)deno\.jsonc?$/,
    words(
      "name version license exports imports scopes tasks compilerOptions lock nodeModulesDir vendor workspace publish",
    ),
  ],
  [
    /(?:^|\/)composer\.json$/,
    words(
      "name version type require require-dev conflict replace provide suggest autoload autoload-dev minimum-stability prefer-stable repositories bin scripts",
    ),
  ],
  [/(?:^|\/)project\.json$/, words("$schema name sourceRoot projectType targets tags implicitDependencies")],
];

const SECTIONS = new RegExp(
  [
    /build-system|dependency-groups|project(?:\.(?:scripts|gui-scripts|optional-dependencies|entry-points\..+))?/,
    /tool\.poetry(?:\.(?:dependencies|dev-dependencies|extras|scripts|group\.[\w-]+(?:\.dependencies)?))?/,
    /tool\.(?:flit\.(?:module|sdist)|setuptools(?:\.(?:packages(?:\.find)?|package-dir|package-data|dynamic))?|hatch\.version)/,
    /metadata|options(?:\.(?:extras_require|package_data|exclude_package_data|packages\.find|entry_points|data_files))?/,
    /package|lib|bin|example|bench|features|workspace(?:\.(?:package|dependencies))?/,
    /(?:target\..+\.)?(?:dev-|build-)?dependencies(?:\..+)?/,
  ]
    .map(({ source }) => source)
    .join("|")
    .replace(/^/, "^(?:")
    .concat(")$"),
);

const OWN_KEYS =
  /^(?:build-system|project|tool\.(?:poetry|setuptools)|metadata|options|package|lib|bin|workspace|workspace\.package)$/;

const ENTRIES = words(
  "name version description readme license license-files authors author author_email maintainers maintainer maintainer_email keywords classifiers urls url project_urls homepage repository documentation long_description long_description_content_type dynamic requires requires-python python_requires build-backend backend-path scripts gui-scripts entry-points dependencies optional-dependencies install_requires setup_requires packages py-modules py_modules package-dir package_dir package-data package_data include-package-data include_package_data include exclude zip-safe zip_safe edition rust-version categories build publish default-run links crate-type members default-members resolver",
);
