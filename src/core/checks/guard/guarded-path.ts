import { isInstruction } from "./agent-instructions.ts";
import { matchesAny } from "./glob.ts";

/** What decides about work elsewhere, or about these very runs: no exam here can tell whether a change of it is right. */
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
  // What a clone makes of the files need not be what was checked here.
  "**/.gitattributes",
  "CODEOWNERS",
  ".github/CODEOWNERS",
];

/** Of these paths those that a person must have seen; `!glob` in the protected paths is a team's word that some are free. */
export function guardedAmong(paths: readonly string[], protectedPaths: readonly string[]): readonly string[] {
  const free = freeAmong(protectedPaths);
  return paths.filter((path) => (matchesAny(path, GUARDED) || isInstruction(path)) && !matchesAny(path, free));
}

export function freeAmong(protectedPaths: readonly string[]): readonly string[] {
  return protectedPaths.filter((glob) => glob.startsWith("!")).map((glob) => glob.slice(1));
}
