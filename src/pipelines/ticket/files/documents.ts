import type { ValidationPolicy } from "../contracts.ts";

export const DOCS_CACHE = "docs/docs_cache_state.yaml";

/** `.txt` files are not documents in general: `requirements.txt` is a manifest. */
const DOCUMENT = /^docs\/|\.(md|mdx|markdown|rst|adoc)$|(^|\/)(README|CHANGELOG|LICENSE|NOTICE|AUTHORS)(\.txt)?$/i;
const BY_PRODUCT = /\.(log|tmp|bak|orig|png|jpe?g|gif|svg|ico|pdf|snap\.new)$|(^|\/)(\.DS_Store|coverage\/)/i;

export const isDocument = (path: string): boolean => DOCUMENT.test(path);

/**
 * Files of the engine's own bookkeeping. They are not work and never count as dirty.
 * @rule T-14 (declaration) The engine's own files never count as uncommitted changes at the git gate.
 */
export const isBook = (path: string): boolean => /^prompts\/[A-Z]+-\d+\//.test(path) || path === DOCS_CACHE;

/**
 * Returns whether a change outside a task's files counts against it: code and tests by default, bookkeeping files
 * always.
 * @rule T-47 (policy) Only code and test files count against a task unless `baseline_scope` is `all`, and only
 *   `validation_policy` can allow more files.
 */
export function isJudged(path: string, scope: ValidationPolicy["baseline_scope"]): boolean {
  if (isBook(path) || scope === "all") return true;
  return !isDocument(path) && !BY_PRODUCT.test(path);
}
