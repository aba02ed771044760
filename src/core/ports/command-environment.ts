/** Variables that a person's configuration gives to set-up and checks, beside those that the engine sets. Never to agents. */
export type CommandEnvironment = {
  readonly setup: Readonly<Record<string, string>>;
  readonly checks: Readonly<Record<string, string>>;
};
