import type { InstallWays } from "../../cure/install-ways.ts";
import type { DetectedProject, ProjectFiles } from "../detected.ts";

/** Language or tool chain: its marker files, and its lines for set-up, build and tests. */
export type Ecosystem = {
  /** Suffix of a check whose name another ecosystem already uses: `test-go`. */
  readonly name: string;
  /** A folder with one of these files is such a project; `*.sln` matches every name with that ending. */
  readonly marks: readonly string[];
  /** Additional files whose text is needed. */
  readonly reads?: readonly string[];
  /** Programs that a person may have to install first. */
  readonly programs: Readonly<Record<string, InstallWays>>;
  /** Variable → folder of the user's home that contains its tool chains, besides the PATH. No packages. */
  readonly toolChains?: Readonly<Record<string, string>>;
  /**
   * A recipe file calls the checks of other ecosystems. It only adds missing ones, and does not mark a package below
   * the top.
   */
  readonly fills?: true;
  /** Called only if a mark exists. Returns commands in the order build, typecheck, lint, test. */
  find(project: ProjectFiles): DetectedProject;
};

/** Returns the first mark that the folder has. */
export function findMark({ marks }: Pick<Ecosystem, "marks">, names: ReadonlySet<string>): string | undefined {
  for (const mark of marks) {
    const found = mark.startsWith("*") ? [...names].find((name) => name.endsWith(mark.slice(1))) : mark;
    if (found !== undefined && names.has(found)) return found;
  }
  return undefined;
}

/** Converts the defined lines to commands. */
export function toCommands(
  from: string,
  lines: Readonly<Record<string, string | false | undefined>>,
): DetectedProject["commands"] {
  return Object.entries(lines).flatMap(([name, run]) => (run ? [{ name, run, from }] : []));
}
