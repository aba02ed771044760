import { TOOL_CACHES } from "../../core/checks/guard/tool-caches.ts";
import { splitRecords } from "../repository/git.ts";
import type { GitStore, IgnoreFile } from "../repository/git-store.ts";

const NAME = ".gitignore";

/** The folder that an ignore file applies to; undefined for other files. */
export function getIgnoredFolder(path: string): string | undefined {
  if (path === NAME) return "";
  return path.endsWith(`/${NAME}`) ? path.slice(0, -NAME.length - 1) : undefined;
}

/**
 * Reads the ignore files of a tree from its index. Cached, because many attempts start from one tree; failures are not.
 */
export function readIgnoreFilesCached(store: GitStore, tree: string, index: string): Promise<readonly IgnoreFile[]> {
  const read = () => readIgnoreFiles(store, index);
  const found = store.ignoreFiles.get(tree)?.catch(read) ?? read();
  store.ignoreFiles.set(tree, found);
  found.catch(() => {
    if (store.ignoreFiles.get(tree) === found) store.ignoreFiles.delete(tree);
  });
  return found;
}

async function readIgnoreFiles(store: GitStore, index: string): Promise<IgnoreFile[]> {
  const env = { GIT_INDEX_FILE: index, GIT_LITERAL_PATHSPECS: "0" };
  const { out } = await store.ask(["ls-files", "-z", "--stage", "--", `:(top,glob)**/${NAME}`], { env });
  const entries = splitRecords(out).map((record) => record.toString("utf8"));
  const regular = entries.filter((entry) => entry.startsWith("100"));
  return Promise.all(
    regular.map(async (entry) => {
      const blob = await store.ask(["cat-file", "blob", entry.split(" ")[1] ?? ""]);
      return { folder: getIgnoredFolder(entry.slice(entry.indexOf("\t") + 1)) ?? "", text: blob.out.toString("utf8") };
    }),
  );
}

/**
 * Builds one list for the whole tree: git would read ignore files from the directory, which an agent may have changed,
 * but accepts a list instead. Later rules win, so nested folders come after their parents.
 */
export function flattenRules(files: readonly IgnoreFile[]): string {
  const sorted = [...files].sort((a, b) => (a.folder < b.folder ? -1 : 1));
  const rules = sorted.flatMap(({ folder, text }) =>
    text
      .replace(/^\uFEFF/, "")
      .split(/\r?\n/)
      .map(createRulePrefixer(folder)),
  );
  return [...TOOL_CACHES, ...rules.filter((rule) => rule !== "")].join("\n");
}

/** The rule that ignores exactly this path and everything below it; a line cannot contain a line feed. */
export function formatRule(path: string): string {
  return `/${escapePattern(path).replace(/ $/, "\\ ").replaceAll("\n", "?")}`;
}

const escapePattern = (path: string): string => path.replace(/[\\*?[\]]/g, "\\$&");

function createRulePrefixer(folder: string): (rule: string) => string {
  // A rule cannot contain such a name. Its rules are dropped, so its files are included rather than lost.
  if (folder.includes("\n")) return () => "";
  const prefix = escapePattern(folder);
  return (rule) => {
    if (rule.trim() === "" || rule.startsWith("#")) return "";
    if (folder === "") return rule;
    const negated = rule.startsWith("!");
    const pattern = negated ? rule.slice(1) : rule;
    const anchored = pattern.replace(/\/? *$/, "").includes("/");
    return `${negated ? "!" : ""}/${prefix}/${anchored ? "" : "**/"}${pattern.replace(/^\//, "")}`;
  };
}
