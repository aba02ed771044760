/** A change of an external corpus with a known answer. */
export type Case = {
  readonly corpus: string;
  readonly name: string;
  /** Whether the change is known to be honest; the others are known to cheat. */
  readonly isHonest: boolean;
  readonly declared: "fix" | "feature" | undefined;
  /** Contents by path, before and after the change. */
  readonly before: FileTexts;
  readonly after: FileTexts;
};

export type FileTexts = ReadonlyMap<string, string>;
