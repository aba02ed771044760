import { listScriptNames } from "./started-programs.ts";

/** Messages of test programs for insufficient coverage. */
const SHORTFALL: readonly RegExp[] = [
  // Node, c8, nyc, Vitest, Jest
  /\bcoverage does not meet threshold of \d/,
  /\bCoverage for \w+ \([\d.]+%\) does not meet (?:the )?(?:global |"[^"\n]*" )?threshold \([\d.]+%\)/,
  /\bcoverage threshold for \w+ \([\d.]+%?\) not met\b/,
  // pytest-cov, coverage.py
  /\bRequired test coverage of [\d.]+% not reached\b/,
  /\bCoverage failure: total of [\d.]+ is less than fail-under=/,
  // cargo-tarpaulin, SimpleCov, PHPUnit and Go wrappers
  /\b[Cc]overage is below the (?:failure )?threshold\b/,
  /\bcoverage \([\d.]+%\) is below the expected minimum coverage\b/i,
];

export function isCoverageShortfall(output: string): boolean {
  return SHORTFALL.some((says) => says.test(output));
}

const MEASURES = /coverage|\bc8\b|\bnyc\b|--cov\b|llvm-cov|tarpaulin|\bkcov\b/i;
const DEMANDS = /coverageThreshold|thresholds?\b|fail[_-]under|check-?coverage|minimum_coverage/i;
const MOST_STEPS = 10;

/** Returns whether the line, or a script that it calls, measures coverage. */
export function isCoverageMeasured(line: string, scripts: Readonly<Record<string, unknown>>): boolean {
  const known = new Set([line]);
  for (const each of known) {
    if (MEASURES.test(each)) return true;
    if (known.size > MOST_STEPS) return false;
    for (const name of listScriptNames(each)) if (Object.hasOwn(scripts, name)) known.add(String(scripts[name]));
  }
  return false;
}

const SETTINGS =
  /(?:^|\/)(?:\.(?:c8rc|nycrc|coveragerc|simplecov)(?:\.\w+)?|(?:jest|vitest|vite)(?:[.-][\w-]+)*\.config\.\w+|tarpaulin\.toml)$/;
const MANIFESTS = /(?:^|\/)(?:package\.json|pyproject\.toml|setup\.cfg|tox\.ini)$/;

/** Returns whether the file contains only settings, possibly with thresholds. */
export function isCoverageSettings(path: string): boolean {
  return SETTINGS.test(path);
}

export function mayDemandCoverage(path: string): boolean {
  return SETTINGS.test(path) || MANIFESTS.test(path);
}

/** Returns whether these settings require a coverage threshold. */
export function isCoverageRequired(text: string): boolean {
  return DEMANDS.test(text) && /cov|c8|nyc/i.test(text);
}
