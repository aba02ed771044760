import { z } from "zod";

/** A field of the contract section is one line or a list of lines; both are read as a list. */
const lines = z
  .union([z.string(), z.array(z.string())])
  .transform((value) => (typeof value === "string" ? [value] : value).filter((line) => line.trim() !== ""));

/** `path — what changed`, or the same two as fields. */
const Changed = z.union([
  z.object({ path: z.string().min(1), description: z.string().default("") }),
  z.string().transform((line) => {
    const [path = "", ...rest] = line.replaceAll("`", "").split(/\s+[—–:-]+\s+/);
    return { path: path.trim(), description: rest.join(" ").trim() };
  }),
]);

const common = {
  status: z.enum(["success", "blocked"]),
  evidence: lines.default([]),
  learnings: lines.default([]),
  blockedReason: z.string().optional(),
};

export const ResearchContract = z.object(common);

export const ArchitectContract = z.object({
  ...common,
  mode: z.enum(["design", "validation"]),
  adr: z.string().optional(),
  interfaces: lines.optional(),
  boundaries: lines.optional(),
});

export const ImplementContract = z.object({
  ...common,
  files: z.union([Changed.transform((one) => [one]), z.array(Changed)]).default([]),
});

export const TestingContract = z.object({ ...common, failures: lines.default([]) });

export const ReviewContract = z.object({
  ...common,
  verdict: z.enum(["ship", "minor_fixes", "needs_work"]),
  failures: lines.default([]),
});

export type Contract = {
  readonly status: "success" | "blocked";
  readonly evidence: readonly string[];
  readonly learnings: readonly string[];
  readonly blockedReason?: string | undefined;
  readonly mode?: "design" | "validation";
  readonly adr?: string | undefined;
  readonly files?: readonly { readonly path: string; readonly description: string }[];
  readonly failures?: readonly string[];
  readonly verdict?: "ship" | "minor_fixes" | "needs_work";
};

/** The ADR that an architect's contract names: its own field, or the one such path in its evidence. */
export function adrPathOf(contract: Pick<Contract, "adr" | "evidence">): string | undefined {
  if (contract.adr) return contract.adr.replaceAll("`", "").trim();
  const named = contract.evidence.join(" ").match(/docs\/adr\/[\w./-]*\w/g) ?? [];
  const paths = [...new Set(named)];
  return paths.length === 1 ? paths[0] : undefined;
}
