import { SignalboxError } from "../failure/errors.ts";
import type { Role } from "./role.ts";

/** Phase of a pipeline: the roles that may be dispatched in it, and the phases that may follow. */
export type PhaseSpec = {
  readonly title: string;
  readonly roles?: readonly Role<unknown, unknown, boolean>[];
  /** Titles of the phases that may follow. Default: the next phase in the list. A phase may always repeat itself. */
  readonly next?: readonly string[];
};

export type Phases = {
  readonly list: readonly PhaseSpec[];
  find(title: string): PhaseSpec;
  /** Throws unless `to` may follow `from`. Phases skipped by name may be passed over. */
  mayFollow(from: string | undefined, to: string, skipped: ReadonlySet<string>): void;
  mayDispatch(title: string, role: string): void;
};

export function createPhases(pipeline: string, list: readonly PhaseSpec[]): Phases {
  const titles = list.map((phase) => phase.title);
  const find = (title: string): PhaseSpec => {
    const found = list.find((phase) => phase.title === title);
    if (found) return found;
    throw new SignalboxError(
      "PHASE_UNKNOWN",
      `The pipeline ${pipeline} has no phase "${title}".`,
      `Declare it in definePipeline; declared are: ${titles.join(", ")}.`,
    );
  };
  for (const phase of list) for (const next of phase.next ?? []) find(next);

  const listSuccessors = (title: string, skipped: ReadonlySet<string>): string[] => {
    const found: string[] = [];
    const visit = (from: string): void => {
      const at = titles.indexOf(from);
      for (const next of list[at]?.next ?? titles.slice(at + 1, at + 2)) {
        if (found.includes(next)) continue;
        found.push(next);
        if (skipped.has(next)) visit(next);
      }
    };
    visit(title);
    return found;
  };

  return {
    list,
    find,
    mayFollow(from, to, skipped) {
      find(to);
      const legal =
        from === undefined
          ? [titles[0], ...listSuccessors(titles[0] ?? "", skipped)]
          : [from, ...listSuccessors(from, skipped)];
      const firstSkipped = from === undefined && !skipped.has(titles[0] ?? "") ? [titles[0]] : legal;
      if (firstSkipped.includes(to)) return;
      throw new SignalboxError(
        "PHASE_ORDER",
        `The phase "${to}" of ${pipeline} cannot follow ${from === undefined ? "the start" : `"${from}"`}.`,
        `Allowed next: ${firstSkipped.join(", ")}. Declare the move in \`next\`, or skip() the phases between with a reason.`,
      );
    },
    mayDispatch(title, role) {
      const allowed = find(title).roles;
      if (!allowed || allowed.some((each) => each.name === role)) return;
      throw new SignalboxError(
        "ROLE_OUTSIDE_PHASE",
        `The role ${role} is not allowed in the phase "${title}" of ${pipeline}.`,
        `Allowed roles: ${allowed.map((each) => each.name).join(", ") || "nobody"}. Add the role to the phase, or move the dispatch.`,
      );
    },
  };
}
