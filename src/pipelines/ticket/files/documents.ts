import type { ValidationPolicy } from "../contracts.ts";

export const DOCS_CACHE = "docs/docs_cache_state.yaml";

/** Not every text is one: `requirements.txt` is a manifest. */
const DOCUMENT = /^docs\/|\.(md|mdx|markdown|rst|adoc)$|(^|\/)(README|CHANGELOG|LICENSE|NOTICE|AUTHORS)(\.txt)?$/i;
const BY_PRODUCT = /\.(log|tmp|bak|orig|png|jpe?g|gif|svg|ico|pdf|snap\.new)$|(^|\/)(\.DS_Store|coverage\/)/i;

export const isDocument = (path: string): boolean => DOCUMENT.test(path);

/**
 * Tickets' books: nobody's work, and never dirt.
 * @rule T-14 (declaration) The tool's own files are never taken for somebody's unfinished work.
 */
export const isBook = (path: string): boolean => /^prompts\/[A-Z]+-\d+\//.test(path) || path === DOCS_CACHE;

/**
 * Whether a change outside a task's files speaks against it: by default only code and tests do, and books always.
 * @rule T-47 (policy) Only code and tests speak against a task unless its policy says all; the policy alone allows more
 *   files.
 */
export function isJudged(path: string, scope: ValidationPolicy["baseline_scope"]): boolean {
  if (isBook(path) || scope === "all") return true;
  return !isDocument(path) && !BY_PRODUCT.test(path);
}
