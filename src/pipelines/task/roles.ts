import { z } from "zod";
import { SEVERITIES } from "../../core/authoring/finding.ts";
import { defineRole } from "../../core/authoring/role.ts";
import { loadRolePrompt } from "../role-prompt.ts";
import { WORK_KINDS } from "../work-kind.ts";

const body = z
  .string()
  .default("")
  .meta({ description: "why it changes so, in a few sentences; with blocked, what is in the way", due: "always" });
const createStatusField = <S extends string>(word: S) => z.literal(word).describe("done, or what keeps you from it");

const Delivery = z.object({
  status: createStatusField("done"),
  kind: z.enum(WORK_KINDS).describe("what the change is"),
  subject: z.string().min(1).describe("the commit's first line: what changes, at most 72 characters"),
  body,
});

/** Only a delivery becomes a commit, so only it must describe one. */
const Development = z.discriminatedUnion("status", [
  Delivery,
  z.object({
    status: createStatusField("question"),
    question: z
      .string()
      .min(1)
      .optional()
      .meta({ description: "what the person has to tell you", due: "only with status: question" }),
    body,
  }),
  z.object({ status: createStatusField("blocked"), body }),
]);
export type Delivery = z.infer<typeof Delivery>;
export type Development = z.infer<typeof Development>;

const Review = z.object({
  verdict: z.enum(["approve", "revise"]).describe("whether it may be committed as it is"),
  findings: z
    .array(
      z.object({
        severity: z.enum(SEVERITIES).describe("major and worse must be mended first"),
        message: z.string().min(1).describe("what is wrong, and what has to be different"),
        files: z.array(z.string()).readonly().optional().describe("where"),
      }),
    )
    .readonly()
    .default([])
    .describe("none where there is nothing to say"),
});
export type Review = z.infer<typeof Review>;

export const developer = defineRole({
  ...loadRolePrompt(import.meta.url, "developer"),
  contract: Development,
  writes: true,
});

export const reviewer = defineRole({
  ...loadRolePrompt(import.meta.url, "reviewer"),
  contract: Review,
  verdict: ({ verdict, findings }) => ({
    passed: verdict === "approve",
    ...(findings[0] ? { because: findings[0].message, severity: findings[0].severity } : {}),
  }),
});
