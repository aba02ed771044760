import type { Announcement } from "../core/authoring/announcement.ts";
import type { Section } from "../core/authoring/brief.ts";
import type { Finding } from "../core/authoring/finding.ts";
import { collapseWhitespace } from "./commit-text.ts";
import { describeExemption, type WorkKind } from "./work-kind.ts";

/** One part of a plan, as shown to the approver. */
export type PlannedPiece = {
  readonly id: string;
  readonly title?: string | undefined;
  /** Attributes that decide how carefully to read it: wave, risk, agent. */
  readonly marks?: readonly string[];
  readonly after?: readonly (string | number)[];
  readonly files: readonly string[];
  readonly criteria?: readonly string[];
  readonly changes?: readonly Announcement[] | undefined;
  readonly kind?: WorkKind | undefined;
};

export function formatPlanPiece(piece: PlannedPiece): Section {
  const { id, title = "", marks = [], after = [], files, criteria = [], changes = [], kind } = piece;
  const behind = marks.filter(Boolean);
  const head = [
    `${id}${title === "" ? "" : `: ${collapseWhitespace(title)}`}`,
    ...(behind.length > 0 ? [`(${behind.join(", ")})`] : []),
  ];
  return {
    title: head.join(" "),
    lines: [
      ...(after.length > 0 ? [`after ${after.join(", ")}`] : []),
      ...(files.length > 0 ? [`files: ${files.join(", ")}`] : ["files: none"]),
      ...describeExemption(kind),
      ...criteria.map((each) => `done when: ${collapseWhitespace(each)}`),
      ...changes.map(
        ({ was, becomes }) => `declared change: ${collapseWhitespace(was)} → ${collapseWhitespace(becomes)}`,
      ),
    ],
  };
}

export function formatFindingsSection(title: string, findings: readonly Finding[]): Section {
  return { title, lines: findings.map(({ severity, message }) => `${severity}: ${collapseWhitespace(message)}`) };
}
