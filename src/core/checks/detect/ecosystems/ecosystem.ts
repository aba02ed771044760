import type { InstallWays } from "../../cure/install-ways.ts";
import type { DetectedProject, ProjectFiles } from "../detected.ts";

/** One world of languages and tools: what marks it, and which lines prepare, build and test it. */
export type Ecosystem = {
  /** Stands behind the name of a check that another one has too: `test-go`. */
  readonly name: string;
  /** A folder with one of these is a project of it; `*.sln` is every name with that ending. */
  readonly marks: readonly string[];
  /** Files whose text it needs, beside its marks. */
  readonly reads?: readonly string[];
  /** What a person may have to install first. */
  readonly programs: Readonly<Record<string, InstallWays>>;
  /** Variable → the folder of a user's home in which its tool chains lie, beside what is on the PATH. No packages. */
  readonly toolChains?: Readonly<Record<string, string>>;
  /**
   * A recipe file calls what other ecosystems have: it only fills what they lack, and a package below the top is not
   * known by it.
   */
  readonly fills?: true;
  /** Asked only where it is marked. Commands in the order build, typecheck, lint, test. */
  find(project: ProjectFiles): DetectedProject;
};

/** Which of the marks this folder has. */
export function markOf({ marks }: Pick<Ecosystem, "marks">, names: ReadonlySet<string>): string | undefined {
  for (const mark of marks) {
    const found = mark.startsWith("*") ? [...names].find((name) => name.endsWith(mark.slice(1))) : mark;
    if (found !== undefined && names.has(found)) return found;
  }
  return undefined;
}

/** Lines by name, of which those that there are become commands. */
export function commandsOf(
  from: string,
  lines: Readonly<Record<string, string | false | undefined>>,
): DetectedProject["commands"] {
  return Object.entries(lines).flatMap(([name, run]) => (run ? [{ name, run, from }] : []));
}
