import { z } from "zod";
import { SEVERITIES } from "../../core/authoring/finding.ts";
import { defineRole } from "../../core/authoring/role.ts";
import { loadRolePrompt } from "../role-prompt.ts";
import { WORK_KINDS } from "../work-kind.ts";

const body = z
  .string()
  .default("")
  .meta({ description: "the reason for the change, in a few sentences; with blocked, the obstacle", due: "always" });
const createStatusField = <S extends string>(word: S) => z.literal(word).describe("done, or why not");

const Delivery = z.object({
  status: createStatusField("done"),
  kind: z.enum(WORK_KINDS).describe("the kind of change"),
  subject: z.string().min(1).describe("the commit's first line: what changes, at most 72 characters"),
  body,
});

/** A delivery becomes a commit, so it must describe one; other answers need not. */
const Development = z.discriminatedUnion("status", [
  Delivery,
  z.object({
    status: createStatusField("question"),
    question: z
      .string()
      .min(1)
      .optional()
      .meta({ description: "what you need to know from the person", due: "only with status: question" }),
    body,
  }),
  z.object({ status: createStatusField("blocked"), body }),
]);
export type Delivery = z.infer<typeof Delivery>;
export type Development = z.infer<typeof Development>;

const Review = z.object({
  verdict: z.enum(["approve", "revise"]).describe("whether it can be committed unchanged"),
  findings: z
    .array(
      z.object({
        severity: z.enum(SEVERITIES).describe("major and above must be fixed first"),
        message: z.string().min(1).describe("what is wrong, and the required change"),
        files: z.array(z.string()).readonly().optional().describe("where"),
      }),
    )
    .readonly()
    .default([])
    .describe("empty if there are none"),
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
