/**
 * What checks and tools leave behind when they are run, as rules of an ignore file: nobody's work, so it is neither
 * taken nor held against whoever ran them. A repository's own rules come after these and may want one of them; what is
 * in the tree already, and what was asked for by its very name, is a file like any other.
 */
export const TOOL_CACHES: readonly string[] = [
  ".pytest_cache/",
  "__pycache__/",
  "*.py[cod]",
  ".ruff_cache/",
  ".mypy_cache/",
  ".hypothesis/",
  ".tox/",
  ".nox/",
  ".coverage",
  ".coverage.*",
  "node_modules/.cache/",
  "node_modules/.vite/",
  "node_modules/.vite-temp/",
  ".eslintcache",
  ".stylelintcache",
  ".nyc_output/",
  ".parcel-cache/",
  ".turbo/",
  "*.tsbuildinfo",
  ".gradle/",
  ".DS_Store",
];
