/**
 * Ignore rules for files that checks and tools leave behind. They are not part of anyone's work, so they are neither
 * taken nor reported. A repository's own rules come later and may include one of them. Files that are in the tree
 * already or were requested by their exact name are not affected.
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
