import { expect, test } from "vitest";
import { DATE, run, tryRun } from "../scene.suite.ts";
import { edit, type Member, type Team, team } from "./team.suite.ts";

const RUN = "r1";
const BRANCH = `signalbox/${RUN}`;
const requireHeld = async () => undefined;

type Stage = Team & { readonly a: Member; readonly b: Member; readonly work: string };

async function stage(): Promise<Stage> {
  const made = await team();
  const [a, b] = await Promise.all([made.member("a"), made.member("b")]);
  await a.workspace.begin(RUN, { commit: made.commit, books: [] });
  return { ...made, a, b, work: await edit(a, RUN, { tree: made.tree, files: { "a.txt": "two\n" } }) };
}

const order = ({ commit, work }: Stage, message = "Work") => ({
  run: RUN,
  tree: work,
  message,
  branch: BRANCH,
  parent: commit,
  date: DATE,
});

test("two owners with the same order make the same commit, and the branch moves once", async () => {
  const at = await stage();
  const made = await Promise.all([at.a, at.b].map(({ workspace }) => workspace.of(RUN, 1).commit(order(at))));
  expect(made[0]).toEqual(made[1]);
  expect(run(at.bare, ["rev-list", "--count", `${at.commit}..${BRANCH}`])).toBe("1");
  expect(await at.a.workspace.of(RUN, 1).commit(order(at))).toEqual(made[0]);
});

test("of two owners with different orders one wins, and the other learns that the branch moved", async () => {
  const at = await stage();
  const ended = await Promise.allSettled([
    at.a.workspace.of(RUN, 1).commit(order(at, "One")),
    at.b.workspace.of(RUN, 2).commit(order(at, "Other")),
  ]);
  const won = ended.flatMap((each) => (each.status === "fulfilled" ? [each.value.commit] : []));
  expect(won).toEqual([run(at.bare, ["rev-parse", BRANCH])]);
  const lost = ended.flatMap((each) => (each.status === "rejected" ? [each.reason] : []));
  expect(lost).toMatchObject([{ code: "COMMIT_REFUSED", message: expect.stringContaining("no longer points to") }]);
});

test("another machine commits on top of a commit, and repeating the first order later changes nothing", async () => {
  const at = await stage();
  const first = await at.a.workspace.of(RUN, 1).commit(order(at));
  const tree = await edit(at.b, RUN, { tree: at.work, files: { "b.txt": "two\n" } });
  const second = await at.b.workspace.of(RUN, 2).commit({ ...order(at, "More"), tree, parent: first.commit });
  expect(run(at.bare, ["rev-parse", `${BRANCH}^`])).toBe(first.commit);
  expect(await at.b.workspace.of(RUN, 2).commit(order(at))).toEqual(first);
  expect(run(at.bare, ["rev-parse", BRANCH])).toBe(second.commit);
});

test("a branch of the remote is read with the commits that the run did not start with", async () => {
  const at = await stage();
  expect(await at.b.workspace.of(RUN, 1).branch(BRANCH)).toBeNull();
  const { commit } = await at.a.workspace.of(RUN, 1).commit(order(at, "Work\n\nand more"));
  expect(await at.b.workspace.of(RUN, 1).branch(BRANCH)).toEqual({ commit, tree: at.work, subjects: ["Work"] });
  const asked = at.b.workspace.of(RUN, 1).branch("a..b");
  await expect(asked).rejects.toMatchObject({ code: "INPUT_INVALID" });
});

test("a branch that another member has on the remote is left alone", async () => {
  const at = await stage();
  run(at.bare, [
    "update-ref",
    `refs/heads/${BRANCH}`,
    run(at.bare, ["-c", "user.name=Eve", "-c", "user.email=e@example.org", "commit-tree", at.tree, "-m", "theirs"]),
  ]);
  const before = run(at.bare, ["rev-parse", BRANCH]);
  const asked = at.a.workspace.of(RUN, 1).commit(order(at));
  await expect(asked).rejects.toMatchObject({ code: "COMMIT_REFUSED" });
  expect(run(at.bare, ["rev-parse", BRANCH])).toBe(before);
});

test("the anchor of a journal only moves forward, whoever sets it, and every clone reads it", async () => {
  const { a, b, bare } = await stage();
  expect(await b.workspace.anchored(RUN)).toEqual([]);
  await Promise.all([
    a.workspace.anchor({ run: RUN, chain: "7:abc", requireHeld }),
    b.workspace.anchor({ run: RUN, chain: "9:def", requireHeld }),
  ]);
  await a.workspace.anchor({ run: RUN, chain: "8:old", requireHeld });
  const [newest] = await a.workspace.anchored(RUN);
  expect([newest, (await b.workspace.anchored(RUN))[0]]).toEqual(["9:def", "9:def"]);
  expect(tryRun(bare, ["fsck", "--strict"]).code).toBe(0);
});

test("every anchor is an ancestor of the newest, and none replaces one that the journal does not contain", async () => {
  const { a, b } = await stage();
  for (const chain of ["1:abc", "2:def"]) await a.workspace.anchor({ run: RUN, chain, requireHeld });
  const asked: string[] = [];
  const refuses = async (earlier: string) => {
    asked.push(earlier);
    throw new Error("not held");
  };
  await expect(b.workspace.anchor({ run: RUN, chain: "3:abc", requireHeld: refuses })).rejects.toThrow("not held");
  expect([asked, await b.workspace.anchored(RUN)]).toEqual([["2:def"], ["2:def", "1:abc"]]);
});

const CHAIN = `refs/signalbox/${RUN}/chain`;
const nameOf = (object: string) => `the object ${object.slice(0, 12)}, which is no anchor`;

test("another commit in place of the anchor is reported as such", async () => {
  const { a, bare, commit } = await stage();
  run(bare, ["update-ref", CHAIN, commit]);
  expect(await a.workspace.anchored(RUN)).toEqual([nameOf(commit)]);
});

test("[A-42] a push over an anchor hides none of its ancestors and none that a clone has seen", async () => {
  const { a, b, bare, commit, tree } = await stage();
  const anchor = (chain: string) => a.workspace.anchor({ run: RUN, chain, requireHeld });
  const eve = (...words: readonly string[]) =>
    run(bare, ["-c", "user.name=Eve", "-c", "user.email=e@example.org", "commit-tree", ...words, "-m", "theirs"]);
  for (const chain of ["1:abc", "2:def"]) await anchor(chain);
  // On top of it, and in parallel.
  const over = eve(tree, "-p", CHAIN);
  const merged = eve(tree, "-p", commit, "-p", over);
  await b.workspace.anchored(RUN);
  await b.workspace.holdAnchors(RUN);
  // Their anchor is reported, but stored only by a clone that has found it in the journal.
  const bogus = eve(run(bare, ["rev-parse", `${CHAIN}^{tree}`]), "-p", commit);
  run(bare, ["update-ref", CHAIN, bogus]);
  await b.workspace.anchored(RUN);
  expect(run(b.repo, ["log", "-1", "--format=%s", CHAIN])).toBe(`Journal of run ${RUN}`);
  for (const forged of [over, merged]) {
    run(bare, ["update-ref", CHAIN, forged]);
    expect(await b.workspace.anchored(RUN)).toEqual([nameOf(forged), "2:def", "1:abc"]);
  }
  await anchor("3:abc");
  expect(await b.workspace.anchored(RUN)).toEqual(["3:abc", "2:def", "1:abc"]);
  await b.workspace.holdAnchors(RUN);
  // In place of it: a commit with another history, a file, nothing.
  const blob = run(bare, ["hash-object", "-w", "--no-filters", "HEAD"]);
  for (const [forged, shown] of [
    [commit, [nameOf(commit)]],
    [blob, [nameOf(blob)]],
    ["", []],
  ] as const) {
    run(bare, forged === "" ? ["update-ref", "-d", CHAIN] : ["update-ref", CHAIN, forged]);
    expect(await b.workspace.anchored(RUN)).toEqual([...shown, "3:abc", "2:def", "1:abc"]);
  }
  run(bare, ["update-ref", CHAIN, commit]);
  await b.workspace.anchor({ run: RUN, chain: "3:abc", requireHeld });
  expect(await a.workspace.anchored(RUN)).toEqual(["3:abc", "2:def", "1:abc"]);
});

test("[A-42] a ref below the anchor's does not prevent setting the anchor", async () => {
  const { a, b, bare, commit } = await stage();
  run(bare, ["update-ref", `${CHAIN}/x`, commit]);
  await a.workspace.anchor({ run: RUN, chain: "1:abc", requireHeld });
  expect(await b.workspace.anchored(RUN)).toEqual(["1:abc"]);
});

test("work that one person took from a run is what the next person takes", async () => {
  const at = await stage();
  const { branch: _branch, ...taking } = order(at, "Work\n\nSignalbox-Unaccepted: taken by Ada");
  expect(await at.b.workspace.taken(RUN, taking)).toBeUndefined();
  const one = await at.a.workspace.take(taking);
  const other = await at.b.workspace.take({
    ...taking,
    date: DATE + 60_000,
    message: "later\n\nSignalbox-Unaccepted: x",
  });
  expect([other, await at.b.workspace.taken(RUN, taking)]).toEqual([one, one]);
});

test("landed work is reverted by anyone who has it on their branch", async () => {
  const at = await stage();
  const { commit } = await at.a.workspace.of(RUN, 1).commit(order(at));
  await at.b.workspace.land({ run: RUN, commit, date: DATE });
  const reverted = await at.b.workspace.revert({ run: RUN, commits: [commit], date: DATE });
  expect(reverted).toMatchObject({ status: "reverted", paths: ["a.txt"] });
});

const TRAILERS = `Signalbox-Unaccepted: taken by Eve\nSignalbox-Run: ${RUN}`;

test.each<[string, (at: Stage, other: string) => readonly string[], string?]>([
  ["of another tree", ({ tree, commit }) => [tree, "-p", commit]],
  ["on another commit", ({ work }, other) => [work, "-p", other]],
  ["on no commit", ({ work }) => [work]],
  ["on one commit more", ({ work, commit }, other) => [work, "-p", commit, "-p", other]],
  ["without the trailer for unaccepted work", ({ work, commit }) => [work, "-p", commit], `Signalbox-Run: ${RUN}`],
  ["of another run", ({ work, commit }) => [work, "-p", commit], TRAILERS.replace(RUN, "r2")],
])("[A-42] a commit %s that is pushed as taken work is not accepted, and is replaced by valid work", async (...row) => {
  const [, args, trailers = TRAILERS] = row;
  const at = await stage();
  const eve = (...words: readonly string[]) =>
    run(at.bare, ["-c", "user.name=Eve", "-c", "user.email=e@example.org", "commit-tree", ...words]);
  const other = eve(at.tree, "-m", "theirs");
  const forged = eve(...args(at, other), "-m", `Work\n\n${trailers}`);
  run(at.bare, ["update-ref", `refs/signalbox/${RUN}/taken`, forged]);
  const { branch: _branch, ...taking } = order(at, "Work\n\nSignalbox-Unaccepted: taken by Ada");
  expect(await at.b.workspace.taken(RUN, taking)).toBeUndefined();
  const commit = await at.a.workspace.take(taking);
  expect(commit).not.toBe(forged);
  expect(await at.b.workspace.taken(RUN, taking)).toBe(commit);
});
