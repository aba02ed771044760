import type { Mutants } from "./break.ts";

export const mutants: Mutants = {
  "A-01": {
    file: "src/workspace/snapshot/write-scope.ts",
    from: "if (!granted && kept?.some((name) => path === name || path.startsWith(`$" + "{name}/`))) return false;",
    to: "",
  },
  "A-02": {
    file: "src/engine/verbs/evidence-record.ts",
    from: "    digest: result.digest,\n",
    to: '    digest: "",\n',
  },
  "A-03": {
    file: "src/engine/drive/drive.ts",
    from: "await performer.restore?.(id, [...mirrors, ...files])",
    to: "await Promise.resolve([...mirrors, ...files])",
  },
  "A-04": {
    file: "src/pipelines/roadmap/recording/record-item.ts",
    from: "    if (edit) return { edit };\n",
    to: "",
  },
  "A-05": { file: "src/engine/run-id.ts", from: 'random.replaceAll(/[^a-z0-9]/g, "")', to: "random" },
  "A-06": {
    file: "src/cli/agents/definitions.ts",
    from: "const [file, ...others] = selectAgentFiles(files, { name: role, aliases });",
    to: "const [file, ...others] = selectAgentFiles([], { name: role, aliases });",
  },
  "A-07": { file: "src/core/contract/read.ts", from: "if (second) return refuseAmbiguous();", to: "" },
  "A-08": { file: "src/engine/drive/signals.ts", from: "letter.hash === question.hash && ", to: "" },
  "A-09": {
    file: "src/engine/verbs/ask.ts",
    from: 'if (run.started.approvals === "autonomous" && asked.auto !== "never") {\n    return { choice: asked.auto,',
    to: 'if (run.started.approvals === "autonomous") {\n    return { choice: asked.choices[0] ?? "",',
  },
  "A-10": {
    file: "src/core/failure/exit-codes.ts",
    from: "const SUSPENDED_EXIT = { waiting: 3,",
    to: "const SUSPENDED_EXIT = { waiting: 0,",
  },
  "A-11": {
    file: "src/core/contract/read.ts",
    from: "return empty.length > 0 ? refusePlaceholder(empty) : ",
    to: "return ",
  },
  "A-12": {
    file: "src/workspace/attempt/attempt.ts",
    from: "      createHistory(store, dir,",
    // Shares refs, settings and stash with the user's repository, as a linked worktree would.
    to: '      (await import("node:fs/promises")).writeFile(join(dir, ".git", "commondir"), join(borrowed, "..")),\n      createHistory(store, dir,',
  },
  "A-13": {
    file: "src/workspace/land/update-checkout.ts",
    from: "return wrong.size === 0\n    ? undefined",
    to: "return wrong.size >= 0\n    ? undefined",
  },
  "A-14": {
    file: "src/workspace/gc/run-refs.ts",
    from: 'if (holder === undefined) return keepBranch("it is not merged into another branch");',
    to: "",
  },
  "A-15": {
    file: "src/pipelines/merge-contributions.ts",
    from: "if (merged.clean) return",
    to: "if (!merged.clean) return { tree: base, taken: [], conflicts };\n    if (merged.clean) return",
  },
  "A-16": {
    file: "src/core/checks/tamper/tamper.ts",
    from: "    ...findWeakenedTests({ changes, sameCount }),\n",
    to: "",
  },
  "A-17": {
    file: "src/engine/verbs/after-failure.ts",
    from: "return history.interruptions < run.host.interruptions",
    to: "return history.interruptions < 2 * run.host.interruptions",
  },
  "A-18": {
    file: "src/engine/verbs/commit.ts",
    from: "      if (failure) return { failure };\n",
    to: "",
  },
  "A-19": {
    file: "src/cli/trust/trust.ts",
    from: 'return trust !== "missing" && trust !== "changed";',
    to: 'return trust !== "missing";',
  },
  "A-20": {
    file: "src/core/checks/outcome/outcome.ts",
    from: "  if (notRun !== undefined) return notRun;\n",
    to: "",
  },
  "A-21": {
    file: "src/engine/drive/preflight.ts",
    from: 'const unfit = seen.checks.filter(({ outcome }) => outcome === "not-run");',
    to: 'const unfit = seen.checks.filter(({ outcome }) => outcome === "regression");',
  },
  "A-22": {
    file: "src/core/checks/outcome/outcome.ts",
    from: 'return run.exitCode === 0 && (run.tests?.failed ?? 0) === 0 ? "green" : "red";',
    to: 'return run.exitCode === 0 ? "green" : "red";',
  },
  "A-23": {
    file: "src/core/checks/outcome/outcome.ts",
    from: 'if (findNewFailures({ before, after }).length > 0) return "regression";',
    to: "",
  },
  "A-24": {
    file: "src/engine/verbs/interlock/interlock.ts",
    from: 'const refused = told(selectOutcomes("failed", "regression", "not-run"));',
    to: 'const refused = told(selectOutcomes("failed"));',
  },
  "A-25": {
    file: "src/engine/verbs/commit.ts",
    from: "const seen = looks ? await examineCommit(run, candidate, documents) : NO_FINDINGS;",
    to: "const seen = looks && run.over ? await examineCommit(run, candidate, documents) : NO_FINDINGS;",
  },
  "A-26": {
    file: "src/core/checks/exam/cross-examine.ts",
    from: 'verdict: unannounced.length > 0 ? "named" : "clean",',
    to: 'verdict: "clean",',
  },
  "A-27": {
    file: "src/engine/verbs/interlock/declared-work.ts",
    from: 'if (declared === undefined || red > 0 || verdict === "none") return [];',
    to: "if (declared !== null) return [];",
  },
  "A-28": {
    file: "src/core/checks/exam/cross-examine.ts",
    from: "const unannounced = named.filter((name) => !announced.includes(name));",
    to: "const unannounced = named;",
  },
  "A-29": {
    file: "src/engine/verbs/interlock/derived-rows.ts",
    from: "  if (difference === undefined) return;\n",
    to: "  if (difference !== null) return;\n",
  },
  "A-30": {
    file: "src/engine/verbs/interlock/interlock.ts",
    from: 'if (old === tree) return { refusal: "it changes nothing", doubts: [], caveats: [] };',
    to: "",
  },
  "A-31": {
    file: "src/engine/execute/setup/setup.ts",
    from: "const before = key !== undefined && at.keep ? ",
    to: "const before = key !== undefined ? ",
  },
  "A-33": {
    file: "src/views/unaccepted-work.ts",
    from: "  const unaccepted = findUnacceptedWork(view);",
    to: "  const unaccepted: UnacceptedWork | undefined = undefined;",
  },
  "A-34": {
    file: "src/engine/verbs/facts/attempt-facts.ts",
    from: "{ checks: listKnownChecks(run, order.tree) }",
    to: "{ checks: [] }",
  },
  "A-35": {
    file: "src/engine/verbs/facts/refusals.ts",
    from: "seq > settledAt ? [refusal] : []",
    to: "seq < settledAt ? [refusal] : []",
  },
  "A-36": {
    file: "src/core/checks/exam/cross-examine.ts",
    from: "const named = [...listNamedTests(seen), ...edited];",
    to: "const named = [...listNamedTests(seen)];",
  },
  "A-38": {
    file: "src/engine/execute/exam-trees/replaced-by-change.ts",
    from: "const replaced = found.flat();",
    to: "const replaced = found.flat().slice(0, 0);",
  },
  "A-39": {
    file: "src/engine/execute/exam-trees/old-check-settings.ts",
    from: "if (composed === tree) return {};",
    to: "if (composed !== tree) return {};",
  },
  "A-40": {
    file: "src/engine/verbs/interlock/interlock.ts",
    from: "...(lost?.unreplaced ?? [])",
    to: "...[]",
  },
  "A-41": {
    file: "src/engine/verbs/interlock/announced-tests.ts",
    from: "const tests = change.tests.filter((each) => !isFilelessPattern(each));",
    to: "const tests = change.tests;",
  },
  "A-37": {
    file: "src/pipelines/work-kind.ts",
    from: "return approved && isLabelled ? {}",
    to: "return isLabelled ? {}",
  },
  "A-32": {
    file: "src/hosts/earlier-answer.ts",
    from: "const first = unread.slice(since).find((posted) => isSameDecision(posted.letter, signal, asked));",
    to: "const first = unread.slice(since).find((posted) => posted.at < 0 && isSameDecision(posted.letter, signal, asked));",
  },
};
