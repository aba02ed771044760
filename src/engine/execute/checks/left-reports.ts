import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";

type ReportSearch = {
  /** The folder in which the command ran. */
  readonly cwd: string;
  /** Older reports are of another run, or came with the tree. */
  readonly since: number;
};

const BUILD_FILES = new Set(["pom.xml", "build.gradle", "build.gradle.kts", "settings.gradle", "settings.gradle.kts"]);
/** Folders to which Maven and Gradle write by default. */
const REPORT_FOLDER = /\/(?:target\/(?:surefire|failsafe)-reports|build\/test-results\/[^/]+)$/;
const PASSED_OVER = new Set([".git", ".gradle", "node_modules", "src", "classes"]);
const MOST_FOLDERS = 20_000;

/** Lists JUnit files that Maven or Gradle wrote in this run. */
export async function findLeftReports({ cwd, since }: ReportSearch): Promise<readonly string[]> {
  const names = await readdir(cwd);
  if (!names.some((name) => BUILD_FILES.has(name))) return [];
  const found: string[] = [];
  const folders = [cwd];
  // The list grows during the iteration.
  for (const folder of folders) {
    for (const entry of await readdir(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name);
      if (entry.isDirectory() && !PASSED_OVER.has(entry.name) && folders.length < MOST_FOLDERS) folders.push(path);
      if (entry.isFile() && entry.name.endsWith(".xml") && REPORT_FOLDER.test(folder)) found.push(path);
    }
  }
  const times = await Promise.all(found.map(async (file) => (await lstat(file)).mtimeMs));
  return found.filter((_file, at) => (times[at] ?? 0) >= since).sort();
}
