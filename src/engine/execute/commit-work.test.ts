import { expect, test } from "vitest";
import { z } from "zod";
import { executorStage, RUN } from "../../../test/support/performing.ts";
import { definePipeline, type Pipeline } from "../../core/authoring/pipeline.ts";
import { defineRole } from "../../core/authoring/role.ts";
import type { Effect } from "../../core/journal/effect.ts";
import { readScript } from "../../drivers/scripted/read-script.ts";
import { createScriptedDriver } from "../../drivers/scripted/scripted-driver.ts";

const writer = defineRole({ name: "writer", does: "writes", contract: z.object({}), writes: true });
const pipeline = definePipeline(
  { name: "p", does: "a test", input: z.unknown(), phases: [{ title: "1 Work", roles: [writer] }] },
  async () => ({ status: "done" }),
);
const { git, attempt, performer } = executorStage(pipeline as Pipeline);
const signal = new AbortController().signal;
const GLOBS = ["docs/feature/**", "!docs/feature/decisions.md"];
const branch = `signalbox/${RUN}`;

const SCRIPT = `agents:
  - role: writer
    do:
      - write: { path: b.txt, content: "b\\n" }
      - write: { path: docs/feature/study.md, content: "study\\n" }
    output: {}`;

/** An agent's work with a document in it, and two more that the engine renders. */
async function committed(how: string) {
  const { perform } = await performer(createScriptedDriver(readScript(SCRIPT)));
  const work = await perform(attempt("writer"), signal);
  const tree = work.outcome === "done" ? (work.after ?? "") : "";
  const parent = git("rev-parse", "HEAD");
  const folder = how === "apart" || how === "none" ? {} : { folder: how };
  const request = { tree, parent, globs: GLOBS, ...folder };
  const { tree: code } = await perform({ id: `${RUN}/w@1`, run: RUN, kind: "without", request }, signal);
  const effect: Effect<"commit"> = {
    id: `${RUN}/commit@1`,
    run: RUN,
    kind: "commit",
    request: {
      tree,
      rendered: ["plan.md", "decisions.md"].map((name) => ({ path: `docs/feature/${name}`, text: `${name}\n` })),
      message: "feat: it",
      branch,
      parent,
      date: 1_900_000_000_000,
      documents: { how, globs: GLOBS, code, message: "docs: how it was made" },
    },
  };
  const first = await perform(effect, signal);
  expect(await perform(effect, signal)).toEqual(first);
  return { ...first, examined: code };
}

const names = (commit: string): string[] => git("ls-tree", "-r", "--name-only", commit).split("\n");
const WORK = ["a.txt", "b.txt", "docs/feature/decisions.md"];
const DOCUMENTS = ["docs/feature/plan.md", "docs/feature/study.md"];

test("documents apart are a commit on top of the work, and both carry the run's name", async () => {
  const { commit, code = "" } = await committed("apart");
  expect(git("rev-parse", branch)).toBe(commit);
  expect(git("rev-parse", `${commit}^`)).toBe(code);
  expect(names(code)).toEqual(WORK);
  expect(names(commit)).toEqual([...WORK, ...DOCUMENTS].sort());
  const said = git("log", "-2", "--format=%s %(trailers:key=Signalbox-Run,valueonly)", commit);
  expect(said.split(/\n+/)).toEqual([`docs: how it was made ${RUN}`, `feat: it ${RUN}`]);
});

test("without documents the work alone is committed", async () => {
  const { commit, code } = await committed("none");
  expect(code).toBeUndefined();
  expect(names(commit)).toEqual(WORK);
});

test("documents of a folder lie below it, and nowhere else", async () => {
  const { commit } = await committed("records/");
  expect(names(commit)).toEqual([...WORK, "records/docs/feature/plan.md", "records/docs/feature/study.md"]);
  expect(git("show", `${commit}:records/docs/feature/study.md`)).toBe("study");
});

test("what is examined has the agents' documents below the folder already, where they will be committed", async () => {
  const { commit, examined } = await committed("records");
  expect(names(examined)).toEqual(["a.txt", "b.txt", "records/docs/feature/study.md"]);
  const rendered = ["docs/feature/decisions.md", "records/docs/feature/plan.md"];
  expect(git("diff", "--name-only", examined, `${commit}^{tree}`).split("\n")).toEqual(rendered);
});
