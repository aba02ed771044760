import { execFileSync } from "node:child_process";
import { readFileSync, renameSync } from "node:fs";
import { expect, test } from "vitest";
import { z } from "zod";
import { executorStage, RUN } from "../../../test/support/performing.ts";
import { pipeWith } from "../../../test/support/pipe.ts";
import { defineRole } from "../../core/authoring/role.ts";
import { readScript } from "../../drivers/scripted/read-script.ts";
import { createScriptedDriver } from "../../drivers/scripted/scripted-driver.ts";
import { gitWorkspace } from "../../workspace/workspace.ts";

const writer = defineRole({ name: "writer", does: "writes", contract: z.object({ did: z.string() }), writes: true });
const { at, git, attempt, performer } = executorStage(pipeWith([writer], { dialect: "completion" }), { shared: true });
const signal = new AbortController().signal;

/** An agent that notes its start where nobody tidies, and does this first. */
const agent = (line: string) =>
  createScriptedDriver(
    readScript(`agents:
  - role: writer
    do:
      - run: "echo started >> ${at("starts")}; ${line}"
      - write: { path: b.txt, content: "b\\n" }
    output: { did: it }`),
  );

test("an attempt's tree is on the remote before its result is returned", async () => {
  const begun = await beginRun();
  const result = await (await performer(agent("true"))).perform(attempt("writer"), signal);
  expect(result).toMatchObject({ outcome: "done", changed: ["b.txt"] });
  const after = result.outcome === "done" ? result.after : "";
  expect(remote("rev-parse", `refs/signalbox/${RUN}/t/${after}^{tree}`)).toBe(after);
  expect(remote("rev-parse", `refs/signalbox/${RUN}/t/${after}^`)).toBe(begun);
});

test("[A-17] work whose remote was gone is kept, and adopted when it is back: the agent is not asked again", async () => {
  await beginRun();
  const away = `mv ${at("shared.git")} ${at("away.git")}`;
  const failed = (await performer(agent(away))).perform(attempt("writer"), signal);
  await expect(failed).rejects.toMatchObject({ code: "REMOTE_NOT_A_REPOSITORY" });
  renameSync(at("away.git"), at("shared.git"));
  const result = await (await performer(agent("true"))).recover(attempt("writer"), signal);
  expect(result).toMatchObject({ outcome: "done", changed: ["b.txt"], adopted: true });
  const after = result.outcome === "done" ? result.after : "";
  expect(remote("rev-parse", `refs/signalbox/${RUN}/t/${after}^{tree}`)).toBe(after);
  expect(readFileSync(at("starts"), "utf8")).toBe("started\n");
});

async function beginRun(): Promise<string> {
  const workspace = await gitWorkspace({ repo: at("repo"), cache: at("other-cache"), remote: "origin" });
  const commit = git("rev-parse", "HEAD");
  await workspace.begin(RUN, { commit, books: [] });
  return commit;
}

function remote(...args: readonly string[]): string {
  return execFileSync("git", args, { cwd: at("shared.git"), encoding: "utf8" }).trim();
}
