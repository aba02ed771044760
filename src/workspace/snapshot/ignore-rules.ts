import { TOOL_CACHES } from "../../core/checks/guard/tool-caches.ts";
import { records } from "../repository/git.ts";
import type { IgnoreFile, Store } from "../repository/store.ts";

const NAME = ".gitignore";

/** The folder that an ignore file speaks for; undefined for any other file. */
export function ignoredFolder(path: string): string | undefined {
  if (path === NAME) return "";
  return path.endsWith(`/${NAME}`) ? path.slice(0, -NAME.length - 1) : undefined;
}

/**
 * The ignore files of a tree, which this index holds; asked once, because many attempts start from one tree. Where whoever
 * asked was stopped, the next one asks for itself.
 */
export function ignoreFilesOf(store: Store, tree: string, index: string): Promise<readonly IgnoreFile[]> {
  const read = () => readIgnoreFiles(store, index);
  const found = store.ignoreFiles.get(tree)?.catch(read) ?? read();
  store.ignoreFiles.set(tree, found);
  found.catch(() => {
    if (store.ignoreFiles.get(tree) === found) store.ignoreFiles.delete(tree);
  });
  return found;
}

async function readIgnoreFiles(store: Store, index: string): Promise<IgnoreFile[]> {
  const env = { GIT_INDEX_FILE: index, GIT_LITERAL_PATHSPECS: "0" };
  const { out } = await store.ask(["ls-files", "-z", "--stage", "--", `:(top,glob)**/${NAME}`], { env });
  const entries = records(out).map((record) => record.toString("utf8"));
  const regular = entries.filter((entry) => entry.startsWith("100"));
  return Promise.all(
    regular.map(async (entry) => {
      const blob = await store.ask(["cat-file", "blob", entry.split(" ")[1] ?? ""]);
      return { folder: ignoredFolder(entry.slice(entry.indexOf("\t") + 1)) ?? "", text: blob.out.toString("utf8") };
    }),
  );
}

/**
 * One list for the whole tree: git reads ignore files from the directory that it walks, which an agent may have
 * changed, but takes a list of ours instead. Later rules win, so deeper folders come after their parents.
 */
export function flattenRules(files: readonly IgnoreFile[]): string {
  const sorted = [...files].sort((a, b) => (a.folder < b.folder ? -1 : 1));
  const rules = sorted.flatMap(({ folder, text }) =>
    text
      .replace(/^\uFEFF/, "")
      .split(/\r?\n/)
      .map(below(folder)),
  );
  return [...TOOL_CACHES, ...rules.filter((rule) => rule !== "")].join("\n");
}

/** The rule that ignores exactly this path of the tree, and what is below it; a line cannot hold its own end. */
export function ruleFor(path: string): string {
  return `/${escaped(path).replace(/ $/, "\\ ").replaceAll("\n", "?")}`;
}

const escaped = (path: string): string => path.replace(/[\\*?[\]]/g, "\\$&");

function below(folder: string): (rule: string) => string {
  // A line cannot hold such a name; its rules are left out, so its files are taken rather than lost.
  if (folder.includes("\n")) return () => "";
  const prefix = escaped(folder);
  return (rule) => {
    if (rule.trim() === "" || rule.startsWith("#")) return "";
    if (folder === "") return rule;
    const negated = rule.startsWith("!");
    const pattern = negated ? rule.slice(1) : rule;
    const anchored = pattern.replace(/\/? *$/, "").includes("/");
    return `${negated ? "!" : ""}/${prefix}/${anchored ? "" : "**/"}${pattern.replace(/^\//, "")}`;
  };
}
