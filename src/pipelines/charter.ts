/** One rule that a pipeline owes its users, and the one place that enforces it. */
export type CharterRule = {
  readonly id: string;
  readonly rule: string;
  /** A gate, a policy or a declaration can be taken out alone; `code` is the shape of the program itself. */
  readonly kind: "gate" | "policy" | "declaration" | "code";
  /** `<path below src>#<name at the top level of that file>` */
  readonly by: string;
};

export type Charter = readonly CharterRule[];
