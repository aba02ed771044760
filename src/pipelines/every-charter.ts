import type { Charter } from "./charter.ts";

/** What every pipeline owes its users, kept by the engine and its parts. */
export const everyCharter: Charter = [
  {
    id: "A-01",
    rule: "What the engine renders is the engine's: an agent's change to it is not taken and is reported.",
    kind: "policy",
    by: "workspace/write-scope.ts#mayWrite",
  },
  {
    id: "A-02",
    rule: "Only a check that the engine ran itself is evidence; what an agent says of its work stays a claim.",
    kind: "code",
    by: "engine/verbs/evidence-record.ts#recordEvidence",
  },
  {
    id: "A-03",
    rule: "A projection is replaced whole, and comes back from the journal when it is lost.",
    kind: "code",
    by: "engine/drive.ts#restore",
  },
  {
    id: "A-04",
    rule: "A person's edit of a projection is taken over when a run starts or goes on, or refused by field, expectation and item.",
    kind: "code",
    by: "pipelines/roadmap/recording.ts#persist",
  },
  {
    id: "A-05",
    rule: "Run ids sort by time, need no quoting anywhere and are the same everywhere.",
    kind: "policy",
    by: "engine/run-id.ts#runId",
  },
  {
    id: "A-06",
    rule: "An agent file of the repository takes the place of the built-in role of its name.",
    kind: "policy",
    by: "cli/definitions.ts#defineRoleFrom",
  },
  {
    id: "A-07",
    rule: "One contract with the dispatch's nonce counts: none is missing, two are ambiguous, a quotation is neither.",
    kind: "policy",
    by: "core/contract/read.ts#readContract",
  },
  {
    id: "A-08",
    rule: "An answer holds for exactly what was shown; other content is asked about again.",
    kind: "policy",
    by: "engine/letters.ts#createLetters",
  },
  {
    id: "A-09",
    rule: "Silence approves nothing, an automatic answer is marked as one, and some questions wait for a person in every mode.",
    kind: "policy",
    by: "engine/verbs/questions.ts#replyTo",
  },
  {
    id: "A-10",
    rule: "Without a terminal a question parks the run with 3; an answer from anywhere lets it go on.",
    kind: "code",
    by: "engine/take.ts#quiet",
  },
  {
    id: "A-11",
    rule: "An answer that gives back the example or says only a placeholder is no answer.",
    kind: "policy",
    by: "core/contract/placeholder.ts#placeholdersIn",
  },
  {
    id: "A-12",
    rule: "Each attempt works in a repository of its own; the user's stays byte for byte, and the checkout follows last and only where it is clean.",
    kind: "code",
    by: "workspace/attempt.ts#openAttempt",
  },
  {
    id: "A-13",
    rule: "The user's index, stash and untracked files are after a run what they were before.",
    kind: "code",
    by: "workspace/update-checkout.ts#updateCheckout",
  },
  {
    id: "A-14",
    rule: "Nothing that is merged nowhere is removed; it is pinned first.",
    kind: "policy",
    by: "workspace/gc-run.ts#runRefs",
  },
  {
    id: "A-15",
    rule: "Of two tasks that conflict the later one fails, with the paths.",
    kind: "policy",
    by: "pipelines/integrate.ts#integrate",
  },
  {
    id: "A-16",
    rule: "Weakened tests, relaxed settings, protected paths and fewer tests are findings that refuse a gate.",
    kind: "policy",
    by: "core/evidence/tamper.ts#tamperFindings",
  },
  {
    id: "A-17",
    rule: "An interrupted attempt that was complete is taken; any other is discarded or gone on with, and counted once.",
    kind: "policy",
    by: "engine/perform/attempt.ts#adoptAttempt",
  },
  {
    id: "A-18",
    rule: "A tree is committed only with passed decisions about that very tree, and while nothing blocks.",
    kind: "gate",
    by: "engine/verbs/commit.ts#refused",
  },
  {
    id: "A-19",
    rule: "What a repository brings runs only after a yes to its very content, or for one call.",
    kind: "policy",
    by: "cli/trust.ts#mayRun",
  },
  {
    id: "A-29",
    rule: "Before rules over the ledger are asked and before a commit, its rows are derived again from the journal; any difference is refused.",
    kind: "policy",
    by: "engine/verbs/derived-rows.ts#refuseForgedRows",
    id: "A-31",
    rule: "A kept set-up is immutable and keyed by all that it read and ran of the tree; none is filled from a tree that an agent of the run wrote.",
    kind: "policy",
    by: "engine/perform/setup.ts#prepare",
  },
];
