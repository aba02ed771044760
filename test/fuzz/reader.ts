export const KIB = 1024;
export const MIB = 1024 * KIB;

/** A parser of texts that an agent, a program or a repository wrote. */
export type Reader = {
  readonly name: string;
  /** Shape of a well-formed text. */
  readonly kind: Kind;
  /** The longest text that is handed to it. */
  readonly most: number;
  /** May throw an error of ours; whatever else is thrown is a fault. */
  read(text: string): unknown;
};

export const KINDS = ["yaml", "json", "toml", "source", "report", "shell", "path", "markdown", "terminal"] as const;
export type Kind = (typeof KINDS)[number];
