import { isQuiet } from "../expectations.ts";
import { findVendored } from "../vendored.ts";

/**
 * Returns whether a tool may load the file because of its location, without any mention. True for most top-level
 * sources and settings.
 */
export function isLoadedByLocation(path: string): boolean {
  if (isQuiet(path) || findVendored(path) || PASSIVE.test(path)) return false;
  return AT_TOP.test(path) || TOOLS.test(path);
}

/** Data in other formats is as often product data. */
const AT_TOP = /^(?:\.[^/]+|[^/]+\.(?:[cm]?[jt]sx?|py|ini|toml|cfg|conf|properties|xml))$/;
const TOOLS = new RegExp(
  [
    /(?:^|\/)(?:go\.work|[\w.-]+\.config\.\w+|\.[\w-]+rc(?:\.\w+)?|\.env(?:\.[\w.]+)?)$/,
    /^(?:patches|\.config|\.mvn|\.cargo|\.yarn|\.bundle|\.storybook)\//,
  ]
    .map(({ source }) => source)
    .join("|"),
);

/** Not read by any test program. */
const PASSIVE =
  /^(?:\.git\w+|\.github|\.vscode|\.idea|\.husky|\.changeset)(?:\/|$)|(?:^|\/)(?:\.\w+ignore|\.editorconfig|\.prettier[\w.]*|\.env\.(?:example|sample|template)|Dockerfile[\w.-]*|(?:docker-)?compose[\w.-]*\.ya?ml|\.gitlab-ci\.yml|\.pre-commit-config\.yaml|Procfile|CODEOWNERS)$|\.(?:txt|svg|png|jpe?g|gif|ico|webp|pdf|sql|csv|html?|css|log)$/;
