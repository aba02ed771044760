/** Variables that a person's configuration gives to set-up and checks, beside those that the engine sets. Never to agents. */
export type CommandEnvironment = {
  readonly setup: Readonly<Record<string, string>>;
  readonly checks: Readonly<Record<string, string>>;
  /** `NAME=value` of what the configuration sets for checks, without secrets: who runs them too is told. */
  readonly shown?: readonly string[];
};
