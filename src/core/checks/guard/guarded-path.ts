import { isInstruction } from "./agent-instructions.ts";
import { matchesAny } from "./glob.ts";

/** Files that control other systems, or these very runs. No exam here can tell whether a change of them is right. */
const GUARDED = [
  ".signalbox/**",
  ".github/workflows/**",
  ".github/actions/**",
  ".gitlab-ci.yml",
  ".gitlab/ci/**",
  ".circleci/**",
  ".buildkite/**",
  ".travis.yml",
  "appveyor.yml",
  ".appveyor.yml",
  "azure-pipelines.yml",
  ".azure-pipelines/**",
  "bitbucket-pipelines.yml",
  "Jenkinsfile",
  ".drone.yml",
  ".woodpecker.yml",
  ".woodpecker/**",
  // A clone may convert files to something other than what was checked here.
  "**/.gitattributes",
  "CODEOWNERS",
  ".github/CODEOWNERS",
];

/** Selects the paths that a person must review. `!glob` in the protected paths exempts files on behalf of the team. */
export function selectGuardedPaths(paths: readonly string[], protectedPaths: readonly string[]): readonly string[] {
  const free = selectFreeGlobs(protectedPaths);
  return paths.filter((path) => (matchesAny(path, GUARDED) || isInstruction(path)) && !matchesAny(path, free));
}

export function selectFreeGlobs(protectedPaths: readonly string[]): readonly string[] {
  return protectedPaths.filter((glob) => glob.startsWith("!")).map((glob) => glob.slice(1));
}
