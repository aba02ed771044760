import type { Change } from "../../../core/authoring/observations.ts";

const MANIFEST =
  /(^|\/)(package\.json|Cargo\.toml|go\.mod|pyproject\.toml|setup\.py|requirements\.txt|pom\.xml|build\.gradle(\.kts)?|Gemfile|composer\.json|[^/]+\.csproj)$/;
const ENTRY_POINT = /(^|\/)(index|main|mod|lib|__init__|__main__)\.\w+$/;

/**
 * Lists changes that make the architecture documents stale: folders, manifests and entry points that were added,
 * removed or renamed.
 * @rule T-24 (policy) The commit waits for a docs refresh if the docs are untrusted, or if a folder, manifest or entry
 *   point was added, removed or renamed.
 */
export function findLayoutChanges(before: readonly string[], changes: readonly Change[]): readonly string[] {
  const gone = new Set(changes.filter(({ status }) => status === "deleted").map(({ path }) => path));
  const came = changes.filter(({ status }) => status === "added").map(({ path }) => path);
  const after = [...before.filter((path) => !gone.has(path)), ...came];
  const [foldersBefore, foldersAfter] = [collectFolders(before), collectFolders(after)];
  const files = [...gone, ...came].filter((path) => MANIFEST.test(path) || ENTRY_POINT.test(path));
  return [
    ...[...foldersAfter].filter((folder) => !foldersBefore.has(folder)),
    ...[...foldersBefore].filter((folder) => !foldersAfter.has(folder)),
    ...files,
  ];
}

function collectFolders(paths: readonly string[]): ReadonlySet<string> {
  const folders = new Set<string>();
  for (const path of paths) {
    for (let at = path.indexOf("/"); at >= 0; at = path.indexOf("/", at + 1)) folders.add(path.slice(0, at + 1));
  }
  return folders;
}
