/** Exit codes for `docs/reference/cli.md` and the man pages: code, meaning, whether `resume` continues the run. */
export const EXIT_CODES: readonly (readonly [exit: string, meaning: string, resume: string])[] = [
  ["0", "done", ""],
  [
    "1",
    "error or canceled; or suspended as broken, because the pipeline broke a replay rule",
    "if broken, after the fix",
  ],
  ["2", "usage error or invalid input", ""],
  ["3", "waiting for an answer, or paused", "yes"],
  ["3", "ended as blocked or stalled (roadmap)", "no: set the item back to `ready` and run again"],
  [
    "4",
    "something is missing on this machine, a check cannot run, or the repository is not trusted",
    "if the run was suspended",
  ],
  ["5", "a limit of time, money or dispatches is reached", "yes, with a higher limit"],
  ["5", "the pipeline used up its rounds (task, ticket)", "no"],
  ["6", "another engine owns the run", ""],
  ["7", "done with lower confidence than `--min-confidence`", ""],
  ["65", "stored data is damaged", "after the repair"],
  ["70", "a bug in Signalbox", ""],
  ["74", "a write failed", "after the repair"],
  ["130, 143", "interrupted by Ctrl-C or SIGTERM", "yes"],
];

export const ENVIRONMENT_VARIABLES: readonly (readonly [name: string, meaning: string])[] = [
  ["SIGNALBOX_TRUST", "1 trusts the repository's configuration for this invocation, like --trust."],
  ["SIGNALBOX_POSTGRES", "The URL of the team's Postgres, like --postgres."],
  ["SIGNALBOX_APPROVALS, SIGNALBOX_BUDGET, SIGNALBOX_MAX_TIME, …", "Any setting, named in capitals."],
  ["XDG_CONFIG_HOME, XDG_STATE_HOME, XDG_CACHE_HOME", "Where settings, trust records and agents' folders are stored."],
  ["NO_COLOR", "Disables colors."],
  ["PAGER, EDITOR", "Programs that open a long question."],
];

export const FILES: readonly (readonly [path: string, meaning: string])[] = [
  [".signalbox/config.yaml", "The team's settings, committed."],
  [".signalbox/config.local.yaml", "Your settings for this repository, ignored by git."],
  ["~/.config/signalbox/config.yaml", "Your settings for all repositories."],
  [
    ".signalbox/pipelines/, .signalbox/drivers/",
    "The repository's own pipelines and drivers. They run only if you trust them.",
  ],
  [".signalbox/signalbox.db", "The journal and the evidence ledger of this repository's runs."],
  ["~/.local/state/signalbox/", "Which repositories you trust, and your keys."],
];
