import { expect, test } from "vitest";
import { edit, type Member, remoteRefs, type Team, team } from "../remote/team.suite.ts";
import { DATE, run } from "../scene.suite.ts";

const RUN = "r1";
const OURS = `refs/signalbox/${RUN}/`;

type Stage = Team & { readonly a: Member; readonly b: Member; readonly tree: string; readonly commit: string };

async function committed(): Promise<Stage> {
  const made = await team();
  const [a, b] = await Promise.all([made.member("a"), made.member("b")]);
  await a.workspace.begin(RUN, { commit: made.commit, books: [] });
  const tree = await edit(b, RUN, { tree: made.tree, files: { "a.txt": "two\n" } });
  const own = b.workspace.of(RUN, 1);
  await own.write("notes.txt", "noted\n");
  const order = { run: RUN, tree, message: "Work", branch: `signalbox/${RUN}`, parent: made.commit, date: DATE };
  const { commit } = await own.commit(order);
  await b.workspace.anchor({ run: RUN, chain: "5:abc", requireHeld: async () => undefined });
  return { ...made, a, b, tree, commit };
}

const localRefs = ({ repo }: Member): string => run(repo, ["for-each-ref", "--format=%(refname)", "refs/signalbox/"]);

test("by default a clone drops its copies of a finished run and leaves the remote unchanged", async () => {
  const at = await committed();
  const before = remoteRefs(at);
  const { removed } = await at.b.workspace.gc({ runs: [{ run: RUN, commit: at.commit }], dryRun: false });
  expect(removed.every((name) => name.startsWith(OURS))).toBe(true);
  expect(removed.length).toBeGreaterThan(0);
  expect(localRefs(at.b)).toBe("");
  expect(remoteRefs(at)).toEqual(before);
  expect((await at.b.workspace.of(RUN).file("a.txt", at.tree))?.text).toBe("two\n");
});

test("[A-14] a shared collection keeps work on the remote that did not land: its branch, and files written for people", async () => {
  const at = await committed();
  const order = { runs: [{ run: RUN, commit: at.commit }], shared: true };
  const planned = await at.a.workspace.gc({ ...order, dryRun: true });
  expect(await at.a.workspace.gc({ ...order, dryRun: false })).toEqual(planned);
  expect(planned.kept.map(({ what }) => what).sort()).toEqual([`refs/heads/signalbox/${RUN}`, `${OURS}checkout`]);
  expect(remoteRefs(at)).toEqual(["refs/heads/main", `refs/heads/signalbox/${RUN}`, `${OURS}chain`, `${OURS}checkout`]);
});

test("a shared collection keeps the anchor of a landed run, and touches nothing of others", async () => {
  const at = await committed();
  await at.a.workspace.land({ run: RUN, commit: at.commit, date: DATE });
  run(at.a.repo, ["push", "-q", "origin", "main", "main:refs/signalbox/r12/t/x", "main:refs/other/mine"]);
  await at.b.workspace.gc({ runs: [{ run: RUN, commit: at.commit }], dryRun: false, shared: true });
  expect(remoteRefs(at)).toEqual(["refs/heads/main", "refs/other/mine", `${OURS}chain`, "refs/signalbox/r12/t/x"]);
  expect(localRefs(at.b)).toBe("");
  expect(await at.b.workspace.anchored(RUN)).toEqual(["5:abc"]);
});

test("[A-14] a run without a commit keeps its trees on the remote, whoever collects", async () => {
  const made = await team();
  const a = await made.member("a");
  await a.workspace.begin(RUN, { commit: made.commit, books: [] });
  const tree = await edit(a, RUN, { tree: made.tree, files: { "a.txt": "two\n" } });
  const { kept } = await a.workspace.gc({ runs: [{ run: RUN }], dryRun: false, shared: true });
  expect(kept).toContainEqual({ what: `${OURS}t/${tree}`, because: expect.stringContaining("only copy") });
  expect(remoteRefs(made)).toContain(`${OURS}t/${tree}`);
});

test("[A-14] unpublished work stays in the clone that has it", async () => {
  const made = await team();
  const a = await made.member("a");
  await a.workspace.begin(RUN, { commit: made.commit, books: [] });
  const own = a.workspace.of(RUN, 1);
  const tree = await own.render(made.tree, [{ path: "a.txt", text: "two\n" }]);
  await own.pin(RUN, tree);
  const { kept } = await a.workspace.gc({ runs: [{ run: RUN }], dryRun: false });
  expect(kept).toEqual([{ what: `${OURS}t/${tree}`, because: expect.stringContaining("never published") }]);
  expect(localRefs(a)).toBe(`${OURS}t/${tree}`);
});
