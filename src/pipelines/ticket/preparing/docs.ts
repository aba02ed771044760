import { createHash } from "node:crypto";
import { z } from "zod";
import type { FileContent } from "../../../core/authoring/observations.ts";
import type { Tree } from "../../../core/authoring/tree.ts";
import type { Verbs } from "../../../core/authoring/verbs.ts";
import { DOCS_CACHE } from "../files/documents.ts";
import { readYaml } from "../files/yaml-file.ts";

export const DOCS = ["docs/ARCHITECTURE.md", "docs/CODE_STYLE.md", "docs/FINDINGS.md"] as const;
const ARCHITECTURE_LINES = 80;
const STYLE_LINES = 40;
const NOT_AVAILABLE = "not available";

/** A digest by length and characters; placeholders do not match. */
const Digest = z.string().regex(/^([0-9a-f]{32}|[0-9a-f]{64})$/);

export const DocsCache = z.looseObject({
  trust_status: z.enum(["trusted", "stale", "unknown"]),
  hashes: z.record(z.string(), Digest),
  workspace_fingerprint: Digest,
  refresh_required: z.boolean().default(false),
});
export type DocsCache = z.infer<typeof DocsCache>;

type Doc = (typeof DOCS)[number];
export type DocTexts = Readonly<Record<Doc, string | undefined>>;

export type Docs = {
  /** True if the repository has these documents or the user asked for them. */
  readonly wanted: boolean;
  readonly trusted: boolean;
  readonly trust_status: DocsCache["trust_status"];
  /** Documents that are missing, stale or invalid. */
  readonly refresh: readonly Doc[];
  readonly exists: { readonly architecture: boolean; readonly code_style: boolean; readonly findings: boolean };
  readonly architecture: string;
  readonly style: string;
  readonly findings: string;
};

/** Reads the three documents, cut for a planner, and whether their cache vouches for them. */
export async function readDocs(
  { see, input }: Pick<Verbs<{ readonly documents?: "keep" | "write" | undefined }>, "see" | "input">,
  tree: Tree,
): Promise<Docs> {
  const texts = await readDocTexts({ see }, tree);
  const cache = await see("file", { path: DOCS_CACHE });
  const trust_status = computeTrust(cache, texts);
  const [architecture, style, findings] = DOCS.map((path) => texts[path]);
  return {
    wanted: input.documents === "write" || cache !== null || DOCS.some((path) => texts[path] !== undefined),
    trusted: trust_status === "trusted",
    trust_status,
    refresh: listStaleDocs(cache, texts),
    exists: {
      architecture: architecture !== undefined,
      code_style: style !== undefined,
      findings: findings !== undefined,
    },
    architecture: takeLines(architecture, ARCHITECTURE_LINES),
    style: takeLines(style, STYLE_LINES),
    findings: findings ?? NOT_AVAILABLE,
  };
}

export async function readDocTexts({ see }: Pick<Verbs<unknown>, "see">, tree: Tree): Promise<DocTexts> {
  const texts: Record<Doc, string | undefined> = {
    "docs/ARCHITECTURE.md": undefined,
    "docs/CODE_STYLE.md": undefined,
    "docs/FINDINGS.md": undefined,
  };
  for (const path of DOCS) texts[path] = (await see("file", { path, in: tree }))?.text;
  return texts;
}

/**
 * Compares the cache with recomputed hashes. Anything unreadable leaves the documents unknown.
 * @rule T-32 (policy) Docs are trusted if all three exist, their cache says trusted, every hash and the fingerprint
 *   match, and no refresh is due. Without evidence they are `unknown`.
 */
export function computeTrust(cache: FileContent, texts: DocTexts): DocsCache["trust_status"] {
  const read = parseCache(cache);
  const evident = read && DOCS.every((path) => texts[path] !== undefined && read.hashes[path] !== undefined);
  if (!read || !evident || read.trust_status === "unknown") return "unknown";
  if (read.trust_status === "stale" || read.refresh_required) return "stale";
  const same = DOCS.every((path) => matchesDigest(read.hashes[path] ?? "", texts[path] ?? ""));
  return same && matchesFingerprint(read.workspace_fingerprint, read.hashes) ? "trusted" : "stale";
}

/**
 * Lists the documents that a refresh may write; those that match the cache stay.
 * @rule T-33 (policy) A refresh writes only documents that are missing, stale or invalid. If it fails, the run warns,
 *   keeps them untrusted and does not delay the Planner.
 */
export function listStaleDocs(cache: FileContent, texts: DocTexts): readonly Doc[] {
  const read = parseCache(cache);
  if (!read || read.refresh_required || read.trust_status === "unknown") return DOCS;
  const stale = DOCS.filter((path) => {
    const text = texts[path];
    return text === undefined || text.trim() === "" || !matchesDigest(read.hashes[path] ?? "", text);
  });
  // If every document matches, the cache itself is wrong.
  return stale.length > 0 || computeTrust(cache, texts) === "trusted" ? stale : DOCS;
}

/** Computes the cache; an agent's own cache is ignored. */
export function createDocsCache(texts: DocTexts): DocsCache {
  const there = DOCS.filter((path) => texts[path] !== undefined);
  const hashes = Object.fromEntries(there.map((path) => [path, computeDigest("md5", texts[path] ?? "")]));
  const whole = there.length === DOCS.length;
  return {
    trust_status: whole ? "trusted" : "stale",
    hashes,
    workspace_fingerprint: computeDigest("md5", formatManifest(hashes)),
    refresh_required: !whole,
  };
}

function parseCache(cache: FileContent): DocsCache | undefined {
  const read = cache ? readYaml(cache.text, DocsCache) : undefined;
  return read?.ok ? read.value : undefined;
}

const formatManifest = (hashes: Readonly<Record<string, string>>): string =>
  DOCS.map((path) => `${path}:${hashes[path] ?? ""}`)
    .sort()
    .join("\n");

/** A manifest written by a shell ends with a newline. */
const matchesFingerprint = (said: string, hashes: DocsCache["hashes"]): boolean =>
  ["", "\n"].some((end) => matchesDigest(said, `${formatManifest(hashes)}${end}`));

/** The length tells md5 from sha256. */
const matchesDigest = (said: string, text: string): boolean =>
  said === computeDigest(said.length === 64 ? "sha256" : "md5", text);

const computeDigest = (name: "md5" | "sha256", text: string): string => createHash(name).update(text).digest("hex");

const takeLines = (text: string | undefined, count: number): string =>
  text === undefined ? NOT_AVAILABLE : text.split("\n").slice(0, count).join("\n");
