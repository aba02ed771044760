import { parse } from "yaml";
import { z } from "zod";
import type { FileSeen } from "../../core/sight.ts";
import type { Tree } from "../../core/tree.ts";
import type { Verbs } from "../../core/verbs.ts";

export const CACHE = "docs/docs_cache_state.yaml";
const DOCS = ["docs/ARCHITECTURE.md", "docs/CODE_STYLE.md", "docs/FINDINGS.md"] as const;
export const DOC_FILES: readonly string[] = [...DOCS, CACHE];

const Cache = z.object({
  trust_status: z.enum(["trusted", "stale", "unknown"]),
  hashes: z.record(z.string(), z.string().min(1)),
  workspace_fingerprint: z.string().min(1),
  refresh_required: z.boolean().default(false),
});

export type Docs = {
  readonly trusted: boolean;
  readonly trust_status: "trusted" | "stale" | "unknown";
  readonly architecture: string;
  readonly style: string;
  readonly findings: string;
};

/** The three documents, cut to what a planner needs, and whether their cache vouches for them. */
export async function seeDocs({ see }: Verbs<unknown>, tree: Tree): Promise<Docs> {
  const [first, second, third] = DOCS;
  const architecture = await see("file", { path: first, in: tree });
  const style = await see("file", { path: second, in: tree });
  const findings = await see("file", { path: third, in: tree });
  const cache = await see("file", { path: CACHE });
  const trust_status = trustOf(cache, { [first]: architecture, [second]: style, [third]: findings });
  return {
    trusted: trust_status === "trusted",
    trust_status,
    architecture: firstLines(architecture, 80),
    style: firstLines(style, 40),
    findings: findings?.text ?? "not available",
  };
}

/** Missing evidence is never trust. */
export function trustOf(cache: FileSeen, docs: Readonly<Record<string, FileSeen>>): Docs["trust_status"] {
  const read = Cache.safeParse(yaml(cache?.text));
  if (!read.success || Object.values(docs).includes(null)) return "unknown";
  const { trust_status, hashes, refresh_required } = read.data;
  if (trust_status !== "trusted" || refresh_required) return trust_status === "unknown" ? "unknown" : "stale";
  return Object.entries(docs).every(([path, seen]) => hashes[path] === seen?.hash) ? "trusted" : "stale";
}

const firstLines = (file: FileSeen, count: number): string =>
  file ? file.text.split("\n").slice(0, count).join("\n") : "not available";

function yaml(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : parse(text);
  } catch {
    return undefined;
  }
}
