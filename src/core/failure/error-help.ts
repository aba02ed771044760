import type { ErrorCode } from "./errors.ts";

/** Explains an error code and how to resolve it. `npm run docs` writes docs/reference/errors.md from this table. */
export type ErrorHelp = { readonly means: string; readonly fix: string };

export const ERROR_HELP: Readonly<Record<ErrorCode, ErrorHelp>> = {
  USAGE: {
    means: "The command line has an unknown command or option, or a value of the wrong form.",
    fix: "Follow the hint. `--help` after a command lists its options.",
  },
  INPUT_INVALID: {
    means:
      "The input does not match the pipeline's schema, a file of `--input @file` cannot be read, or a path or name is not allowed.",
    fix: "Run `signalbox pipelines show <name>` to see the fields and their types.",
  },
  PIPELINE_UNKNOWN: {
    means:
      "No pipeline has this name. On `resume` the run's pipeline is gone: its file was removed, or another version of Signalbox is installed.",
    fix: "Run `signalbox pipelines list`. Restore the file, or use the version that started the run.",
  },
  RUN_UNKNOWN: {
    means: "No run of this repository has this id.",
    fix: "Run `signalbox ps` to list the runs, or select another repository with `-C`.",
  },
  RUN_AMBIGUOUS: {
    means: "Several runs start with these characters.",
    fix: "Add one more character.",
  },
  RUN_ENDED: {
    means:
      "The run has ended, so it cannot continue, take an answer or be canceled. The message says how it ended and who canceled it.",
    fix: "Start a new run. `signalbox status <run>` shows the end.",
  },
  RUN_AT_REST: {
    means: "`pause` or `stop` needs a running engine, and no engine runs this run.",
    fix: "Run `signalbox resume <run>` to continue it, or `signalbox cancel <run>` to end it.",
  },
  TOO_LATE: {
    means:
      "The agent has already stopped, or someone else sent the same command first. The message says what happened and when.",
    fix: "Run `signalbox status <run>` to see the running agents.",
  },
  NOTHING_TO_LAND: {
    means: "The run ended without a commit.",
    fix: "Run `signalbox why` to see the reason. `signalbox land --unaccepted` applies work that no gate accepted.",
  },
  NOTHING_TO_ATTEST: {
    means:
      "The run has not ended, or it made no commit. [Signed evidence](../guides/signed-evidence.md) is about a commit.",
    fix: "Continue the run with `signalbox resume`, or run `signalbox why`.",
  },
  APPROVAL_UNKNOWN: {
    means: "No open question has this id, or several start with these characters.",
    fix: "Run `signalbox inbox` to list open questions.",
  },
  APPROVAL_STALE: {
    means:
      "The question was already answered. The first answer counts; yours was not used. The message says who answered.",
    fix: "Run `signalbox events <run>` to see what followed.",
  },
  CHOICE_UNKNOWN: {
    means: "The question does not have this choice.",
    fix: "Use a choice from the message. Put remarks into `--note`.",
  },
  SCRIPT_INVALID: {
    means: "The file of `--agents` cannot be read, or has unknown keys or values.",
    fix: "Fix the lines that the message names. See [scripted agents](agents.md#scripted-agents).",
  },
  PIPELINE_INVALID: {
    means: "The pipeline's declaration is invalid, or its file cannot be loaded or exports no pipeline.",
    fix: "Fix the file. See [write a pipeline](../guides/write-a-pipeline.md).",
  },
  DRIVER_INVALID: {
    means:
      "A file in `.signalbox/drivers/` cannot be loaded, exports no driver, or imports something that your consent does not cover.",
    fix: "Fix the file. See [write a driver](../guides/write-a-driver.md).",
  },
  CONFIG_INVALID: {
    means: "The configuration is not valid YAML, or has unknown keys or values. Nothing was started.",
    fix: "Fix the lines that the message names.",
  },
  NOT_A_REPOSITORY: {
    means: "The directory is not in a git repository with a checkout.",
    fix: "Change to the repository, or name it with `-C`.",
  },
  REPOSITORY_EMPTY: {
    means: "The repository has no commit.",
    fix: "Run `git add . && git commit`.",
  },
  GIT_FAILED: {
    means: "A git command failed, or git is missing or older than 2.38. The message contains git's output.",
    fix: "Fix what git reports. `git fsck` finds damage.",
  },
  TOO_MANY_FILES: {
    means: "The system allows no more open files.",
    fix: "Run `ulimit -n 1024` in the shell that starts Signalbox, then `signalbox resume`.",
  },
  FILES_TOO_LARGE: {
    means:
      "A snapshot would be too large: a file over 512 MiB, an ignore file over 1 MiB, changed files over 2 GiB together, or more than 200,000 new files.",
    fix: "For an agent this is a failed attempt, and it is told. In your checkout, remove the file or add it to `.gitignore`, then `signalbox resume`.",
  },
  FOLDER_UNREADABLE: {
    means:
      "Git cannot read a folder: it contains a pipe or device where git opens a file, a huge attributes file, or rules that make git crash.",
    fix: "For an agent this is a failed attempt, and it is told.",
  },
  CHECKOUT_UNREADABLE: {
    means:
      "Git hangs in your checkout: a pipe or device is in place of a file that git opens, such as `.gitignore`, or the disk does not answer.",
    fix: "Remove what the message names, then `signalbox resume`.",
  },
  OBJECT_GONE: {
    means:
      "A tree, file or commit that the run needs is no longer in the repository. Someone deleted `refs/signalbox/…` and git collected the objects, or the repository is damaged.",
    fix: "Fetch it from another clone or backup (`git fetch <clone> 'refs/*:refs/recovered/*'`), then `signalbox resume`. Otherwise cancel the run.",
  },
  REMOTE_UNREACHABLE: {
    means:
      "The team's git remote did not answer three times in a row, or a push or fetch hung for a minute. The run is suspended as `interrupted`. Unpublished work stays in the worker's clone.",
    fix: "Check `git ls-remote <remote>`, then `signalbox resume`, or start the run again.",
  },
  REMOTE_REFUSED: {
    means: "The git remote refused the credentials, the read, or the push. Signalbox never asks for a password.",
    fix: "Make `git ls-remote` and `git push --dry-run` work without a question, and allow pushes to `refs/signalbox/`. Then `signalbox resume`.",
  },
  REMOTE_NOT_A_REPOSITORY: {
    means: "There is no git repository at the remote's address, or these credentials may not see it.",
    fix: "Fix the address with `git remote set-url`, or get access. Then `signalbox resume`.",
  },
  NO_CHECKS: {
    means: "No command can judge the work, and an autonomous run cannot ask whether that is intended.",
    fix: "Configure `commands:`, or give a reason with `no-checks:`. See [without any check](configuration.md#without-any-check).",
  },
  CHECK_KILLED: {
    means:
      "A check or the set-up was killed from outside twice (SIGKILL or SIGTERM), usually because memory ran out. The run is suspended.",
    fix: "Find the cause (`dmesg`, container limits), then `signalbox resume`.",
  },
  AGENT_MISSING: {
    means: "A role has no agent, or the agent's program is not on the PATH.",
    fix: 'Use `--agent "*=codex"`, `--agents FILE`, or `agents:` in the configuration. See [agents for roles](agents.md).',
  },
  LOGIN_MISSING: {
    means: "The agent has no usable login: no login file, an expired one, or no key in the environment.",
    fix: "Run the command in the hint, such as `codex login`. `signalbox doctor` lists all agents.",
  },
  PROGRAM_MISSING: {
    means: "Set-up or checks need a program that is not on the PATH. Nothing was started.",
    fix: "Install it as the hint says, or change `commands:`.",
  },
  AGENT_IN_CHARGE: {
    means:
      "A process of a run, or an agent program, called a command that only people may call. [Who may call which command](permissions.md) has the list.",
    fix: "Call it from your own terminal.",
  },
  UNTRUSTED: {
    means:
      "The repository contains configuration, pipelines or agents that you have not trusted. The message lists what would run.",
    fix: "Review the list. Then add `--trust`, or set `SIGNALBOX_TRUST=1`.",
  },
  SANDBOX_MISSING: {
    means: "The configuration says `sandbox: required`, and nothing on this machine can confine files.",
    fix: "Install `bubblewrap`, or set `sandbox: auto`. See [sandbox](../guides/sandbox.md).",
  },
  PEER_MISSING: {
    means: "A team needs the packages `@dbos-inc/dbos-sdk` and `pg`, and one is not installed.",
    fix: "Install both as the hint says.",
  },
  DATABASE_UNREACHABLE: {
    means:
      "The database cannot be opened: Postgres does not answer or refuses the login, or the SQLite file is locked.",
    fix: "Check what the message names.",
  },
  REMOTE_MISSING: {
    means: "The team's git remote does not exist in this clone.",
    fix: "Run `git remote add origin <address>`, or set `remote:` in the configuration.",
  },
  NOT_OFFERED: {
    means:
      "No worker offers what the run or one of its agents needs. The run waits. The message names what is missing and which workers exist.",
    fix: "Start a `signalbox worker` that offers it, or require less.",
  },
  NOT_APPROVER: {
    means: "Your database role is not in `team.approvers`. The question stays open.",
    fix: "Ask one of the approvers.",
  },
  DATABASE_DENIED: {
    means: "Postgres refused access to the tables for this role.",
    fix: "Run `migrate` as the database's owner, and grant `signalbox_member` or `signalbox_worker` to the role.",
  },
  SCHEMA_OLD: {
    means: "The tables in Postgres are missing or older than this version of Signalbox.",
    fix: "Run `signalbox migrate --postgres URL` once, with a role that may create tables.",
  },
  SCHEMA_NEWER: {
    means: "A newer version of Signalbox has changed the tables. Nothing was modified.",
    fix: "Install the version that the rest of the team uses.",
  },
  HEAD_DETACHED: {
    means: "The checkout is on no branch, so `land` and `revert` have no target.",
    fix: "Run `git switch <branch>`, then try again.",
  },
  OPERATION_UNDER_WAY: {
    means: "A rebase, merge, cherry-pick, revert or bisect is in progress.",
    fix: "Finish it (`--continue`) or end it (`--abort`), then try again.",
  },
  CHECKOUT_DIRTY: {
    means:
      "Files that the work changes have uncommitted changes, or an untracked file is in the way. Nothing was moved.",
    fix: "Commit them or run `git stash -u`, then try again.",
  },
  CHECKOUT_LOCKED: {
    means: "Another program holds the lock of git's index.",
    fix: "Wait, or remove `index.lock` if no git command is running.",
  },
  BRANCH_MOVED: {
    means: "Someone else moved the branch again and again, or git refused to move it. Nothing was changed.",
    fix: "Try again when nobody else commits there.",
  },
  FILTER_NEEDED: {
    means:
      "The work changes files that a git filter creates, such as LFS. Signalbox runs no filters. Nothing was moved.",
    fix: "Run the printed git command.",
  },
  CASE_CLASH: {
    means: "After landing, two names would differ only in case, and this file system treats them as one.",
    fix: "Rename one on the run's branch, then try again.",
  },
  LAND_REFUSED: {
    means:
      "`land` or `revert` is not possible: the commit is not the run's own, it would bring foreign commits, it shares no history, a submodule would change, or the branch is checked out twice.",
    fix: "Follow the hint. See [repository states](repository-states.md).",
  },
  PORT_TAKEN: {
    means: "`ui` cannot listen on the port.",
    fix: "Choose another one with `--port`, or any free one with `--port 0`.",
  },
  KEY_UNUSABLE: {
    means:
      "There is no key to sign or verify with, or it cannot be used: unreadable, of an unsupported type, or with a wrong passphrase.",
    fix: "Name another one with `--key`. See [keys](../guides/signed-evidence.md#keys).",
  },
  PAGE_MISSING: {
    means: "The HTML report needs the dashboard's page, which a fresh clone has not built.",
    fix: "Run `npm run web` in the clone, or use another [reporter](../guides/ci-and-reports.md).",
  },
  RUN_OWNED: {
    means: "Another engine owns the run.",
    fix: "Follow it with `signalbox events -f`, or stop that engine. The lease of a dead engine expires by itself.",
  },
  FENCED: {
    means:
      "This engine was paused for longer than its lease, and another one took the run over. Nothing was stored since.",
    fix: "Nothing: the other engine continues. `signalbox status` shows it.",
  },
  DATABASE_DAMAGED: {
    means:
      "The database file is damaged or foreign, was removed or replaced while in use, lacks runs whose folders exist, or contains objects that Signalbox did not create.",
    fix: "Keep a copy. Restore a backup, or try `sqlite3 FILE .recover`. Nothing was changed.",
  },
  DATABASE_NEWER: {
    means: "A newer version of Signalbox wrote the database.",
    fix: "Use the newer version, or another folder.",
  },
  JOURNAL_DAMAGED: {
    means:
      "A record of the run cannot be read or does not match its hash, or the journal lacks a record that is anchored under `refs/signalbox/<run>/chain`. Someone changed or restored the database, or wrote that ref.",
    fix: "Run `signalbox evidence RUN --verify` to see each one. Restore the newest copy, or restore the ref. Other runs are not affected.",
  },
  LEDGER_FORGED: {
    means:
      "The ledger's rows do not follow from the journal. The message names the first one. Nothing was judged or committed.",
    fix: "Run `signalbox evidence RUN --verify`. Restore a backup, then `signalbox resume`.",
  },
  DISK_FAILED: {
    means:
      "A write failed: the disk is full, read-only or broken, or permissions are missing. The message names the path. The run is suspended as `interrupted` if its journal can be written.",
    fix: "Free space or fix the disk, then `signalbox resume`. Nothing that was reported as stored is lost.",
  },
  VERB_CONCURRENT: {
    means: "A verb was called while another verb of the same scope was running, usually by `Promise.all`.",
    fix: "Await each verb. Use `parallel` or `together` for concurrency.",
  },
  VERB_UNAWAITED: {
    means: "A function, branch or round returned while one of its verbs was running.",
    fix: "Add the missing `await`.",
  },
  VERB_OUTSIDE: {
    means: "A verb was called outside the pipeline's function, or after its branch ended, for example by a timer.",
    fix: "Call verbs only in the function, and await them there.",
  },
  STEP_DIVERGED: {
    means:
      "The replay reached another step than the journal has there. A step was renamed, inserted, removed or moved since the run started.",
    fix: "Restore the code and resume, or start a new run.",
  },
  STEP_CHANGED: {
    means:
      "The replay reached the right step with another input. The input depends on time, chance or an unrecorded file, or the code changed. With `--from`: input, configuration or pipeline differ from the earlier run.",
    fix: 'Use `see("now")`, `see("uuid")`, `see("file", …)`, or restore the code and resume. With `--from`: use the same input, or an earlier phase.',
  },
  STEP_UNREACHED: {
    means: "The pipeline ended without reaching steps that its journal has.",
    fix: "Restore the code and resume, or start a new run.",
  },
  VALUE_NOT_JSON: {
    means: "A verb received a value that JSON would lose: a function, date, map, `NaN` or class instance.",
    fix: "Pass texts, numbers, booleans, null, arrays and plain objects.",
  },
  END_SWALLOWED: {
    means: "`end()` was called, but the pipeline caught what it throws and continued.",
    fix: "Call it outside the `try`, or rethrow.",
  },
  BODY_STUCK: {
    means: "The pipeline waits, but no step is running and no question is open.",
    fix: "Replace the timer, request or promise by a verb.",
  },
  BODY_THREW: {
    means: "The pipeline's code threw an exception.",
    fix: "Fix the code and resume. Recorded work stays.",
  },
  PHASE_UNKNOWN: {
    means: "`phase()`, `skip()` or `next` names a phase that is not declared.",
    fix: "Declare it, or use one that the message lists.",
  },
  PHASE_ORDER: {
    means: "A phase was entered that may not follow the one before.",
    fix: "Add it to `next`, or `skip()` the phases between, with a reason.",
  },
  PHASE_MISSING: {
    means: "A verb was called before the first `phase()`.",
    fix: "Call `phase()` first.",
  },
  ROLE_OUTSIDE_PHASE: {
    means: "A role was dispatched in a phase that does not list it.",
    fix: "Add the role to the phase's `roles`, or move the dispatch.",
  },
  ROLE_INPUT_INVALID: {
    means:
      "A role was dispatched with an input that does not match its schema. The message names role and field. Nothing was dispatched.",
    fix: "Fix the pipeline, then resume.",
  },
  BRANCH_DUPLICATE: {
    means: "Two branches of a `parallel` have the same name, or one has none.",
    fix: "Pass a `key` to `parallel`.",
  },
  PLAN_CYCLE: {
    means: "`waves` received tasks that depend on each other.",
    fix: "Remove a dependency, or let the planner try again.",
  },
  COMMIT_REFUSED: {
    means:
      "The interlock refused a commit: a decision in `because` did not pass, is unknown or refers to another tree; a blocker is open; or the branch cannot take it.",
    fix: "Follow the message. The tree stays under `refs/signalbox/<run>/`.",
  },
  WRITE_REFUSED: {
    means:
      "A file of the checkout was not replaced: it changed since the run read it, or it is a folder or leads outside.",
    fix: "Keep or undo the edit, then run again.",
  },
  LOOP_INVALID: {
    means: "A `loop` received a `max` that is not a whole number of at least 1.",
    fix: "Fix the limit.",
  },
  RULE_INVALID: {
    means:
      "A rule cannot be evaluated: it is not one SELECT over the ledger, a parameter has no value, it returned no number named `actual`, or its id belongs to another rule.",
    fix: "Fix the rule. See [rules](../guides/write-a-pipeline.md#rules).",
  },
  INTERNAL: {
    means: "A bug in Signalbox.",
    fix: "Report it with the printed stack. See [SECURITY.md](../../SECURITY.md) for security problems.",
  },
};
