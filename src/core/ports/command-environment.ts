/** Additional variables from the configuration for set-up and checks. Agents never get them. */
export type CommandEnvironment = {
  readonly setup: Readonly<Record<string, string>>;
  readonly checks: Readonly<Record<string, string>>;
  /** `NAME=value` of the configured check variables, without secrets, for agents that run the checks too. */
  readonly shown?: readonly string[];
};
