import type { ErrorCode } from "./errors.ts";

/** What an error code means and how a user resolves it. `npm run docs` writes docs/reference/errors.md from it. */
export type ErrorHelp = { readonly means: string; readonly why?: string; readonly fix: string };

export const ERROR_HELP: Readonly<Record<ErrorCode, ErrorHelp>> = {
  USAGE: {
    means:
      "The command line cannot be understood: an unknown command or option, a value that is not of the expected form.",
    why: "a typing mistake, or an option of another version.",
    fix: "read the hint; `signalbox --help` and `--help` after a command list what there is.",
  },
  INPUT_INVALID: {
    means:
      "What the pipeline was given does not fit its input schema, a file named by `--input @file` cannot be read, or a path or name is not one that git and the repository accept.",
    why: "a missing or misspelt field, a text where a number is wanted, a path with `..`.",
    fix: "`signalbox pipelines show <name>` prints the fields that the pipeline takes.",
  },
  PIPELINE_UNKNOWN: {
    means: "There is no pipeline of that name here. On `resume` it means that the run's pipeline is gone.",
    why: "a misspelt name, a file removed from `.signalbox/pipelines/`, or another version of Signalbox.",
    fix: "`signalbox pipelines list`; put the file back, or use the version that the run was started with.",
  },
  RUN_UNKNOWN: {
    means: "No run has this id, or the repository has no run yet.",
    why: "the run belongs to another repository, or the id is misspelt.",
    fix: "`signalbox ps` lists the runs of this repository; `-C dir` names another one.",
  },
  RUN_AMBIGUOUS: {
    means: "Several runs begin with the letters given.",
    why: "run ids may be cut short, but only as far as they stay unique.",
    fix: "give one more character.",
  },
  RUN_ENDED: {
    means:
      "The run has ended and was asked to go on, to take an answer or to be canceled, or somebody else was quicker to cancel it. The message says how it ended, when and, where it was canceled, by whom; nothing of what was said late is kept.",
    why: "an end is final. It is recorded, and no engine runs the pipeline again.",
    fix: "`signalbox status <run>` shows the end; start a new run.",
  },
  RUN_AT_REST: {
    means:
      "The run was to be paused, or one of its agents stopped, and nobody works on it: it is suspended, or its engine is gone.",
    why: "only an engine at work heeds such a word. Kept for later it would stop whoever takes the run up next.",
    fix: "`signalbox resume <run>` goes on, `signalbox cancel <run>` ends it with all that is left of its agents.",
  },
  NOTHING_TO_LAND: {
    means: "The run ended without a commit, so there is nothing that `land` could take.",
    why: "only what passed its gates is committed.",
    fix: "see why it ended so with `signalbox status`.",
  },
  NOTHING_TO_ATTEST: {
    means: "A statement was asked for of a run that has not ended, or that made no commit.",
    why: "[signed evidence](../guides/signed-evidence.md) is about a commit and its tree.",
    fix: "what the hint says: let it go on with `signalbox resume`, or see `signalbox why`.",
  },
  APPROVAL_UNKNOWN: {
    means: "No open question has this id, or several begin with the letters given.",
    why: "a misspelt id, or a question of another repository.",
    fix: "`signalbox inbox` lists what is open.",
  },
  APPROVAL_STALE: {
    means:
      "The question was answered before, perhaps a moment ago and not yet read by the run's engine; the first answer stands, this one was not taken. The message says who answered, what and when.",
    why: "another person, another terminal or the autonomous mode was quicker.",
    fix: "nothing, or `signalbox events <run>` to see what came of it.",
  },
  CHOICE_UNKNOWN: {
    means: "The choice is not one of the question's.",
    why: "each question names its choices, and nothing else counts as an answer.",
    fix: "choose one that the message lists. Remarks go into `--note`.",
  },
  SCRIPT_INVALID: {
    means: "The file given with `--agents` cannot be read or has keys and values that scripted agents do not know.",
    why: "a misspelt key, `output` and `reply` in one rule, an action with two verbs.",
    fix: "correct the lines that the message names.",
  },
  PIPELINE_INVALID: {
    means: "A pipeline's declaration is refused, or its file cannot be loaded or exports no pipeline.",
    why: "a name with capitals or spaces, two different roles of one name, a syntax error in the file.",
    fix: "correct the file. See [writing a pipeline](../guides/write-a-pipeline.md).",
  },
  DRIVER_INVALID: {
    means:
      "A file in `.signalbox/drivers/` cannot be loaded, exports no driver, or asks for what your yes does not cover.",
    why: "a syntax error in the file, an import from outside the folder, or of a module that starts processes.",
    fix: "correct the file. See [writing a driver](../guides/write-a-driver.md).",
  },
  CONFIG_INVALID: {
    means: "`.signalbox/config.yaml` is not YAML or has keys and values that are not known.",
    why: "a misspelt key, or an agent with `driver: command` and no `argv`.",
    fix: "correct the lines that the message names. Nothing was started.",
  },
  NOT_A_REPOSITORY: {
    means: "The directory is not inside a git repository with a checkout.",
    why: "the wrong directory, or a bare repository.",
    fix: "change to the repository or name it with `-C`.",
  },
  REPOSITORY_EMPTY: {
    means: "The repository has no commit, so there is no tree to work on.",
    why: "`git init` without a first commit.",
    fix: "`git add . && git commit`.",
  },
  GIT_FAILED: {
    means: "A git command of the engine failed, or git could not be started. The message carries what git said.",
    why: "no git on the path or one older than 2.38, a full disk, a left-over `.lock` file, a damaged repository.",
    fix: "read git's sentence; `git fsck` finds damage.",
  },
  TOO_MANY_FILES: {
    means: "The system lets this program, or all of them together, open no more files.",
    why: "a low `ulimit -n`, or another program that holds very many.",
    fix: "`ulimit -n 1024` in the shell that starts Signalbox; a run that was stopped by it goes on with `signalbox resume`.",
  },
  CHECK_KILLED: {
    means:
      "A check or the set-up was ended by a signal that Signalbox did not send (SIGKILL, SIGTERM), was run again, and was ended again. The run rests; nothing was refused and nothing counts as green.",
    why: "a command that was ended in the middle says nothing about the tree. Usually the machine has run out of memory. A test program that crashes by itself (SIGSEGV, SIGABRT) is red instead.",
    fix: "find out what ends it (`dmesg`, the limits of a container or a job), cure that, then `signalbox resume`.",
  },
  FILES_TOO_LARGE: {
    means: "A snapshot of files would be larger than git can take in a reasonable time.",
    why: "one changed file is larger than 512 MiB (an ignore file: 1 MiB, and a line of it 4096 characters), the changed files are larger than 2 GiB together, or there are more than 200,000 new ones. They are counted before git sees them: a sparse file of any size costs nothing to make.",
    fix: "an agent has failed its contract with these words, and is told them where its pipeline asks it again. In your own checkout leave the file out or add it to `.gitignore`, then `signalbox resume`.",
  },
  FOLDER_UNREADABLE: {
    means:
      "Git cannot read what lies in a folder: it would wait for ever, did not end within ten minutes, or crashed over it.",
    why: "a pipe or a device stands where git opens a file without looking (`.gitattributes`, `HEAD` of a repository inside the folder), an attributes file is larger than 16 MiB, or an ignore file has rules that git dies of.",
    fix: "an agent has failed its contract with these words, and is told them where its pipeline asks it again.",
  },
  CHECKOUT_UNREADABLE: {
    means:
      "Git stands still in your own checkout: it waits for a file that has no end, or did not end within ten minutes.",
    why: "a pipe or a device lies where git opens a file by itself: `.gitignore`, `.gitattributes`, `.gitmodules` or `.mailmap` in any folder, a file of `.git` (`config`, `info/exclude`, `HEAD`, a ref), or one that the settings include. Or the disk does not answer.",
    fix: "remove what is named, or put a file there; a run that was stopped by it goes on with `signalbox resume`.",
  },
  OBJECT_GONE: {
    means: "A tree, a file or a commit that the run needs is not in the repository any more.",
    why: "somebody deleted `refs/signalbox/…` and git collected what only they held, while the copy in the cache was removed too, or the run was at work and there was none yet; or the repository is damaged (`git fsck`). A run that rests with its cache puts such refs back by itself.",
    fix: "bring the object back from another clone or a backup (`git fetch <clone> 'refs/*:refs/recovered/*'`), then `signalbox resume`. Where there is none, the run cannot go on: `signalbox cancel` it and start a new one; its journal and its reports can still be read.",
  },
  AGENT_MISSING: {
    means: "A role of the pipeline has nobody who plays it, or the program for it is not on the path.",
    why: "neither `--agent`, `--agents` nor `agents:` in the configuration names an agent for the role.",
    fix: '`--agent "*=codex"`, `--agents FILE`, or an entry in `.signalbox/config.yaml`. See [cli](agents.md).',
  },
  LOGIN_MISSING: {
    means:
      "The agent that would play a role has no login that an attempt could use: no file of one, or an expired one, and no key in the environment.",
    why: "an attempt has a home of its own; what is not linked or passed into it is not there.",
    fix: "the line in the hint, such as `codex login`, then the same line again. `signalbox doctor` shows all agents.",
  },
  PROGRAM_MISSING: {
    means:
      "Set-up or checks of the project start a program that is not on the path, such as `go`. Nothing was started.",
    why: "a check that cannot run can judge nothing, and the run would end there.",
    fix: "install it as the hint says, or configure other lines under `commands:`. `signalbox doctor` says what else is missing.",
  },
  AGENT_IN_CHARGE: {
    means: "A process that a run or an agent program started called a command that is not for agents.",
    why: "an agent must not approve, land, cancel or start work. The engine knows its steps by a mark in the environment, by the processes that they descend from, and by a limit that they cannot raise again; known agent programs mark theirs (`CLAUDECODE`, `CODEX_SANDBOX`, `GEMINI_CLI`, `CURSOR_AGENT`, `OPENCODE`). [Who may call what](permissions.md) has the list. It is a guard rail; the sandbox is the wall.",
    fix: "call it from a terminal of your own.",
  },
  UNTRUSTED: {
    means: "The repository brings configuration or pipelines, and nobody has said that they may run.",
    why: "both are code. The message lists every command, agent and pipeline that would run.",
    fix: "read them. If you trust them, add `--trust`, or set `SIGNALBOX_TRUST=1`.",
  },
  REMOTE_UNREACHABLE: {
    means:
      "The git remote that the team shares did not answer, three times in a row: no such host, a refused or broken connection, an error of the server; or once, where a push or fetch stood still for a minute, or had no end within a quarter of an hour. A run in progress rests as `interrupted`. What was recorded, committed or taken from an agent is still there; an agent's work that could not be published yet is kept in the clone of the worker that has it. That worker adopts it when it takes the run up again; another one asks the agent anew.",
    why: "the network or the server is down, or the address is wrong.",
    fix: "try `git ls-remote <remote>`; when it answers, `signalbox resume` goes on with a run that had begun, and one that had not is started again.",
  },
  REMOTE_REFUSED: {
    means:
      "The git remote answered and said no: to the credentials, to reading, or to a ref that was pushed. The message has its own words.",
    why: "no key or token that works without a question, no right to push to `refs/signalbox/` or `refs/heads/signalbox/`, a rule or a hook of the server. Nobody is asked for a password: only what your credential helpers, your ssh agent or your settings for that address give by themselves counts.",
    fix: "make `git ls-remote` and `git push --dry-run` work there without a question, or let the server take these refs; then `signalbox resume`.",
  },
  REMOTE_NOT_A_REPOSITORY: {
    means:
      "There is no git repository at the remote's address, or none that these credentials may see: many hosts say the same of both.",
    why: "a wrong address, a repository that was moved or deleted, a missing right.",
    fix: "correct it with `git remote set-url`, or ask for the right; then `signalbox resume`.",
  },
  NO_CHECKS: {
    means: "No command of the repository can judge the work, and an autonomous run asks nobody whether that is meant.",
    why: "neither `commands:` nor the project's own files name a build, a test or another check, or `commands: {}` switches them off. An interactive run asks once instead.",
    fix: "configure commands, or say why none is needed: `no-checks: <the reason>`. See [without any check](configuration.md#without-any-check).",
  },
  SANDBOX_MISSING: {
    means: "The configuration says `sandbox: required`, and nothing on this machine can confine files.",
    why: "bubblewrap is not installed, or the system does not let it make namespaces (some containers and hardened kernels).",
    fix: "install `bubblewrap`; see [the sandbox](../guides/sandbox.md) for what it needs, or set `sandbox: auto`.",
  },
  PEER_MISSING: {
    means: "The distributed host needs `@dbos-inc/dbos-sdk` and `pg`, and one of them is not installed.",
    why: "they are optional, because the embedded host needs neither.",
    fix: "install both as the hint says.",
  },
  DATABASE_UNREACHABLE: {
    means:
      "The database cannot be opened: Postgres does not let us in, or the SQLite file is locked or cannot be opened.",
    why: "a server that is down, a wrong address or password, a folder without permission, a lock held too long.",
    fix: "check what the message names. Passwords are never printed.",
  },
  REMOTE_MISSING: {
    means: "A command that works with a team found no git remote of the given name.",
    why: "the work of a team's runs travels over a git remote, `origin` unless the configuration says otherwise.",
    fix: "`git remote add origin <address>`, or name another with `remote:` in the configuration.",
  },
  NOT_APPROVER: {
    means: "Somebody answered a question of a team's run who is not among `team.approvers`.",
    why: "the team has said who may, by roles of the database. The role you log in as counts, and no name that you give yourself.",
    fix: "ask one of them; the question stays open.",
  },
  NOT_OFFERED: {
    means:
      "No worker of this repository offers what a run or one of its agents needs; the run is kept and taken as soon as one does.",
    why: "no worker runs, none has the same pipeline in the same version, or none has the agent or the label that is asked for.",
    fix: "start `signalbox worker` where that is there, or ask for less; the message names what is missing and who is there.",
  },
  DATABASE_DENIED: {
    means: "Postgres let us in, but the role may not do what was asked: read or write the tables, or create them.",
    why: "`migrate` needs a role that may create schemas; everything else needs one that may use what `migrate` made.",
    fix: "as the message says: run `migrate` as the database's owner, and grant the role `signalbox_member`, and to workers `signalbox_worker`, to whoever works with it.",
  },
  HEAD_DETACHED: {
    means: "`land` or `revert` was asked for while the checkout is on no branch.",
    why: "a commit or tag was checked out, so there is no branch that could hold the work.",
    fix: "`git switch <branch>`, then try again.",
  },
  OPERATION_UNDER_WAY: {
    means: "A rebase, merge, cherry-pick, revert or bisect is under way in the checkout, so its branch is not moved.",
    why: "that operation remembers where the branch was.",
    fix: "finish it (`--continue`) or give it up (`--abort`), then try again.",
  },
  CHECKOUT_DIRTY: {
    means:
      "Files that the work would change have changes of their own, or an untracked file is where a new one would come. The message names them; nothing was moved.",
    why: "nobody's unfinished work is overwritten. Dirt in other files is no obstacle.",
    fix: "commit these changes or put them aside (`git stash -u`), then try again.",
  },
  CHECKOUT_LOCKED: {
    means: "The index of the checkout stayed locked by another program.",
    why: "a git command runs there, or one was killed and left `index.lock`. A lock that Signalbox itself left is removed by itself; one of git's says not whose it is, so it never is.",
    fix: "wait, or remove the file when no git command runs.",
  },
  BRANCH_MOVED: {
    means: "The branch was moved by somebody else, again and again, or git refused to move it. Nothing was changed.",
    why: "the branch is moved only from the very commit that was looked at.",
    fix: "try again when nobody else commits or pushes there.",
  },
  FILTER_NEEDED: {
    means: "The work changes files that a filter of yours makes, such as those of LFS. Nothing was moved.",
    why: "filters are programs, and no program of a repository is run.",
    fix: "run the printed git command yourself: it uses your own settings.",
  },
  CASE_CLASH: {
    means: "After landing, two names would differ only in case, and this file system takes them for one.",
    why: "a checkout could show only one of the two files.",
    fix: "rename one of them on the run's branch, then try again.",
  },
  LAND_REFUSED: {
    means:
      "`land` or `revert` cannot be done here: the commit is not one of the run's own, it would bring commits that the run only started from and nobody agreed to, it has no commit in common with the branch, a submodule would change, or the branch is checked out in more than one place.",
    why: "see [repository states](repository-states.md).",
    fix: "what the hint says; it holds the command to do it by hand, where there is one.",
  },
  PORT_TAKEN: {
    means: "`ui` cannot listen where it was told to, or on any of the ports that it tries by itself.",
    why: "another program listens there.",
    fix: "choose another with `--port`, or any that is free with `--port 0`.",
  },
  KEY_UNUSABLE: {
    means:
      "There is no key to sign or to verify with, or it cannot be used: it cannot be read, is of a type that is not taken, or ssh-keygen did not sign with it.",
    why: "a wrong passphrase, or an agent that does not hold the key.",
    fix: "name another with `--key`; `ssh-keygen -t ed25519 -f FILE` makes one. See [keys](../guides/signed-evidence.md#keys).",
  },
  PAGE_MISSING: {
    means: "The page that shows a run in a browser is not built, so there is no report as HTML.",
    why: "a package has it, a fresh clone has not.",
    fix: "`npm run web` in the clone, or another [reporter](../guides/ci-and-reports.md).",
  },
  RUN_OWNED: {
    means: "Another engine drives the run.",
    why: "one engine at a time may write a run's journal.",
    fix: "follow it with `signalbox events -f`, or stop that engine. The claim of a dead engine lapses by itself, on the same machine at once.",
  },
  FENCED: {
    means: "This engine lost the run to another one and has stored nothing since.",
    why: "it was paused or cut off for longer than its lease, and another engine claimed the run with a higher fence.",
    fix: "nothing here. The other engine goes on; `signalbox status` shows where.",
  },
  DATABASE_DAMAGED: {
    means:
      "The database file is damaged, is not one of Signalbox, was removed or replaced while it was in use, does not know runs whose folders lie beside it, or holds a trigger, view or table that Signalbox did not make. The message says which.",
    why: "a failing disk, a copy made while it was written or without its `-wal` file, another program's file at that path, or somebody who changed it.",
    fix: "keep a copy, then restore a backup or try `sqlite3 FILE .recover`; drop what does not belong there. Nothing was changed.",
  },
  DATABASE_NEWER: {
    means: "The database was written by a newer Signalbox.",
    why: "schemas only go forward.",
    fix: "use the newer version, or another folder or database.",
  },
  JOURNAL_DAMAGED: {
    means:
      "A record of a run cannot be read or is not the one that was hashed, the journal does not begin with `run.started`, or it lacks the record whose hash was left under `refs/signalbox/<run>/chain` when the run last rested. Every engine computes the hashes again before it goes on with a run; one that differs is named, and the run stays as it is.",
    why: "the database was changed from outside, or an older copy of it was put back; or somebody else wrote that ref, which in a team everybody can who may push. What is no anchor is passed over.",
    fix: "`signalbox evidence RUN --verify` names every such record and anchor. Restore the newest copy, or put the ref back to the last anchor that holds. Other runs in the same database are not affected.",
  },
  LEDGER_FORGED: {
    means:
      "The rows of the ledger are not those that follow from the run's journal; the message names the first one. It is looked for before a gate asks its SQL rules and before every commit. Nothing was judged and nothing was committed.",
    why: "the tables were changed from outside. Rows that the engine did not write prove nothing.",
    fix: "`signalbox evidence RUN --verify` names every such row. Restore a backup, or put the rows back, then `signalbox resume`.",
  },
  DISK_FAILED: {
    means:
      "A write failed: the disk is full, read-only or broken, the permissions do not allow it, a folder of the cache was removed while it was in use, or a process could not be started for such a reason. The message names the path. A run is suspended as `interrupted` where its journal can still be written.",
    why: "the operating system said so. After a failed write to the database the engine writes nothing more to it, because a second try can succeed while the first was lost.",
    fix: "free space, correct the permissions or repair the disk, then `signalbox resume`. Nothing that was reported as stored is lost.",
  },
  VERB_CONCURRENT: {
    means: "A verb was called while another verb of the same scope was still going on.",
    why: "usually `Promise.all` over verbs. Results would depend on which finished first, and a replay could swap them.",
    fix: "await each verb; for work side by side use `parallel` or `together`.",
  },
  VERB_UNAWAITED: {
    means: "A body, branch or round returned while one of its verbs was still going on.",
    why: "a missing `await`.",
    fix: "put it there.",
  },
  VERB_OUTSIDE: {
    means: "A verb was called outside the pipeline's function, or after its branch had ended.",
    why: "a timer, an event handler or a stored callback called it.",
    fix: "call verbs only in the function, and await them there.",
  },
  STEP_DIVERGED: {
    means: "The replay came to another step than the journal has at that place.",
    why: "a step was renamed, inserted, removed or moved since the run began.",
    fix: "restore the code that the run began with and resume, or start a new run.",
  },
  STEP_CHANGED: {
    means: "The replay came to the right step with another input than the recorded one.",
    why: "the input depends on a clock, on chance or on a file that was read without a verb; or the code was edited. In a run that was started with `--from`: its input, its configuration or its pipeline is not that of the earlier run.",
    fix: 'use `see("now")`, `see("uuid")`, `see("file", …)`; or restore the code and resume. With `--from`: give the same input, name an earlier phase, or start anew without it.',
  },
  STEP_UNREACHED: {
    means: "The pipeline ended without coming to steps that its journal has.",
    why: "a step was removed, or a condition reads something that is not recorded.",
    fix: "restore the code and resume, or start a new run.",
  },
  VALUE_NOT_JSON: {
    means: "A verb was given something that JSON would lose: a function, a date, a map, `NaN`, a class instance.",
    why: "inputs are recorded as JSON, and a replay must get the same value.",
    fix: "hand in texts, numbers, booleans, null, arrays and plain objects.",
  },
  END_SWALLOWED: {
    means: "`end()` was called, but the pipeline caught what it throws and went on.",
    why: "`end()` inside a `try` with a catch for everything.",
    fix: "call it outside, or rethrow.",
  },
  BODY_STUCK: {
    means: "No step is going on, no question is open, and the pipeline still waits.",
    why: "an await on a timer, a request or a promise that never settles.",
    fix: "use a verb instead.",
  },
  BODY_THREW: {
    means: "The pipeline's own code threw an ordinary exception.",
    why: "a bug in the pipeline, such as reading a field of undefined.",
    fix: "repair it and resume; what is recorded stays.",
  },
  PHASE_UNKNOWN: {
    means: "`phase()`, `skip()` or `next` names a phase that is not declared.",
    why: "a misspelt title.",
    fix: "declare it, or use one that the message lists.",
  },
  PHASE_ORDER: {
    means: "A phase was entered that may not follow the one before it.",
    why: "the declaration lists the legal successors in `next`; without it only the next phase of the list.",
    fix: "declare the move, or `skip()` what lies between, with a reason.",
  },
  PHASE_MISSING: {
    means: "A verb was called before any `phase()`.",
    why: "the phase is the first part of every key.",
    fix: "call `phase()` with the first heading first.",
  },
  ROLE_OUTSIDE_PHASE: {
    means: "A role was dispatched in a phase that does not list it.",
    why: "`roles` of a phase says who may be dispatched there.",
    fix: "add the role to the phase, or move the dispatch.",
  },
  ROLE_INPUT_INVALID: {
    means: "A role that declares its `input` was handed something else. The message names the role and the field.",
    why: "the pipeline builds the input from something that is not what it expects, such as an agent's answer.",
    fix: "repair the pipeline, then resume the run. Nothing was dispatched.",
  },
  BRANCH_DUPLICATE: {
    means: "Two branches of one `parallel` have the same name, or a branch has none.",
    why: "the item is neither a text nor has an `id`, or two items share it. Branch names are part of the keys.",
    fix: "give `parallel` a `key`.",
  },
  PLAN_CYCLE: {
    means: "`waves` was given tasks that wait for each other.",
    why: "the plan has a circle of dependencies.",
    fix: "remove one of them, or let the planner try again.",
  },
  COMMIT_REFUSED: {
    means: "The interlock refused a commit, or the branch could not take it.",
    why: "a decision named in `because` did not pass, is unknown or speaks of another tree; a blocker is open; the branch moved, is checked out or is another name for a second branch.",
    fix: "read which; the tree stays reachable under `refs/signalbox/<run>/`.",
  },
  WRITE_REFUSED: {
    means: "A file of the checkout was not replaced.",
    why: "it was edited or removed since the run looked at it, or it is a folder or leads out of the checkout.",
    fix: "keep the edit or undo it, then run again.",
  },
  LOOP_INVALID: {
    means: "A `loop` was given a `max` that is not a whole number from 1 up.",
    why: "a computed limit that came out as zero or less.",
    fix: "correct the limit.",
  },
  RULE_INVALID: {
    means:
      "A rule cannot be judged: its text is not one SELECT over the ledger, a parameter has no value, it gave no number named `actual`, or its id already stands for another rule of the run.",
    why: "a mistake in the rule, or in what the gate hands in.",
    fix: "see [rules](../guides/write-a-pipeline.md#rules).",
  },
  INTERNAL: {
    means: "Signalbox did something that it rules out for itself.",
    why: "a bug of ours.",
    fix: "please report it with the printed stack. See [SECURITY.md](../../SECURITY.md) if it looks like more than a bug.",
  },
  TOO_LATE: {
    means:
      "The agent has already stopped, or someone else sent the same command first. The message says what happened and when.",
    fix: "Run `signalbox status <run>` to see the running agents.",
  },
  SCHEMA_OLD: {
    means: "The tables in Postgres are missing or older than this version of Signalbox.",
    fix: "Run `signalbox migrate --postgres URL` once, as a database role that may create tables.",
  },
  SCHEMA_NEWER: {
    means: "A newer version of Signalbox has changed the tables. Nothing was modified.",
    fix: "Install the version that the rest of the team uses.",
  },
};
