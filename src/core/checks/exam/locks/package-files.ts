import { serializePackages } from "../parts/json-parts.ts";

/** Returns whether the file determines which packages are installed, or which programs run them. */
export function isPackages(path: string): boolean {
  return FILES.test(path) || MANIFESTS.test(path);
}

/** Returns whether a manifest requests other packages than before. In most formats any change may mean that. */
export function isRequestingOthers({ path, before, after }: { path: string; before: string; after: string }): boolean {
  return path.endsWith("package.json") ? serializePackages(before) !== serializePackages(after) : before !== after;
}

const FILES =
  /(?:^|\/)(?:package-lock\.json|npm-shrinkwrap\.json|pnpm-lock\.yaml|yarn\.lock|bun\.lockb?|deno\.lock|[\w.-]*requirements[\w.-]*\.(?:txt|in)|constraints\.txt|Pipfile(?:\.lock)?|poetry\.lock|uv\.lock|pdm\.lock|setup\.py|go\.(?:mod|sum|work)|Cargo\.lock|Gemfile(?:\.lock)?|[^/]+\.gemspec|composer\.lock|gradle\.lockfile|libs\.versions\.toml|[^/]+\.csproj|\.nvmrc|\.node-version|\.python-version|\.tool-versions)$|(?:^|\/)requirements\/[^/]+\.(?:txt|in)$/;

const MANIFESTS =
  /(?:^|\/)(?:package\.json|composer\.json|pyproject\.toml|setup\.cfg|Cargo\.toml|pnpm-workspace\.yaml|pom\.xml|build\.gradle(?:\.kts)?)$/;
