import { execFileSync, spawn } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { REPORTERS } from "../../src/cli/complete/completions.ts";
import { parseReports } from "../../src/cli/report/reporters.ts";
import { BIN } from "../support/program.ts";
import { lastEvent, makeScene, type Scene } from "./scene.ts";

const isInstalled = (program: string): boolean =>
  (process.env["PATH"] ?? "").split(delimiter).some((folder) => existsSync(join(folder, program)));

let scene: Scene;
let folder: string;
let [asking, done] = ["", ""];
let question = "";

beforeAll(async () => {
  scene = makeScene();
  folder = join(scene.repo, "../bin");
  mkdirSync(folder);
  writeFileSync(join(folder, "signalbox"), `#!/bin/sh\nexec '${process.execPath}' '${BIN}' "$@"\n`);
  chmodSync(join(folder, "signalbox"), 0o755);
  const ended = await scene.signalbox("run", "small", "x", "--agents", scene.agents, "--json");
  done = String(lastEvent(ended)["run"]);
  const asked = await scene.signalbox("run", "small", "x", "--input", "finish=ask", "--agents", scene.agents, "--json");
  asking = String(lastEvent(asked)["run"]);
  question = String(asked.events.find(({ type }) => type === "approval.requested")?.["approval"]);
  // Written after the run, because a run loads these files. Loading one for a completion would leave the mark.
  const mark = JSON.stringify(join(scene.repo, "tripped"));
  scene.put(
    ".signalbox/pipelines/tripwire.ts",
    `import { writeFileSync } from "node:fs"; writeFileSync(${mark}, "");\n`,
  );
  scene.put(".signalbox/pipelines/$(touch tripped).ts", "");
});

const createEnvironment = (): NodeJS.ProcessEnv => ({
  ...process.env,
  PATH: `${folder}:${process.env["PATH"]}`,
  SIGNALBOX_TRUST: "",
  XDG_STATE_HOME: join(scene.repo, "../state"),
  HISTFILE: "",
  TERM: "dumb",
});

/** Returns the completions for a line with the cursor at its end, requested as bash does. */
async function completeLine(line: string): Promise<readonly string[]> {
  const { out } = await scene.signalbox("completion", "bash");
  const said = execFileSync(
    "bash",
    ["-c", `${out}\nCOMP_LINE=$1; COMP_POINT=\${#1}; _signalbox; printf '%s\\n' "\${COMPREPLY[@]}"`, "bash", line],
    { encoding: "utf8", cwd: scene.repo, env: createEnvironment() },
  );
  return said.split("\n").filter(Boolean);
}

describe("completion in bash", () => {
  test("completes commands, subcommands and options", async () => {
    expect(await completeLine("signalbox la")).toEqual(["land"]);
    expect(await completeLine("signalbox pipelines g")).toEqual(["graph"]);
    expect(await completeLine("signalbox run small --det")).toEqual(["--detach"]);
    expect(await completeLine("signalbox completion ")).toEqual(["bash", "zsh", "fish"]);
    expect(await completeLine("signalbox __")).toEqual([]);
  });

  test("completes built-in and repository pipelines without loading the repository's code", async () => {
    const names = ["task", "roadmap", "phases", "ledger", "clusters", "ticket", "small", "tripwire"];
    expect(await completeLine("signalbox run ")).toEqual(names);
    expect(await completeLine("signalbox pipelines show sm")).toEqual(["small"]);
    expect(await completeLine("signalbox pipelines new x --from led")).toEqual(["ledger"]);
    expect(await completeLine("signalbox run tripwire --agent ")).toEqual(["*="]);
    expect(existsSync(join(scene.repo, "tripped"))).toBe(false);
  });

  test("completes runs, newest first, and the phases that a run reached", async () => {
    expect(await completeLine("signalbox status ")).toEqual([asking, done]);
    expect(await completeLine(`signalbox gate EG-1 --run ${done.slice(0, -1)}`)).toEqual([done]);
    expect(await completeLine("signalbox run small --from ")).toEqual([`${asking}:`, `${done}:`]);
    // bash replaces only the text after the colon.
    expect(await completeLine(`signalbox run small --from ${done}:`)).toEqual(["1\\ Write", "2\\ Decide"]);
    expect(await completeLine(`signalbox run small --from "${done}:2`)).toEqual([`${done}:2 Decide`]);
  });

  test("completes open questions and the choices of the selected question", async () => {
    expect(await completeLine("signalbox approve ")).toEqual([question]);
    expect(await completeLine(`signalbox approve ${question} --choose `)).toEqual(["keep", "revise", "abort"]);
    expect(await completeLine(`signalbox approve ${question} --choose=re`)).toEqual(["revise"]);
    expect(await completeLine("signalbox approve a-nothing --choose ")).toEqual([]);
  });

  test("completes roles with their possible agents, and reporters", async () => {
    expect(await completeLine("signalbox run ledger --agent impl")).toEqual(["implementer="]);
    expect(await completeLine("signalbox run ledger --agent implementer=co")).toEqual(["codex", "copilot", "command"]);
    expect(await completeLine("signalbox report --reporter j")).toEqual(["json", "junit"]);
    expect(parseReports(REPORTERS).map(({ name }) => name)).toEqual(REPORTERS);
    expect(() => parseReports(["nobody"])).toThrow(
      expect.objectContaining({ hint: `Known reporters: ${REPORTERS.join(", ")}.` }),
    );
  });

  test("completes for another directory, and offers nothing where there are no runs", async () => {
    expect(await completeLine(`signalbox -C ${scene.repo} status `)).toEqual([asking, done]);
    expect(await completeLine("signalbox -C /nowhere status ")).toEqual([]);
    expect(await completeLine("signalbox nonsense --what ")).toEqual([]);
    expect(await completeLine('signalbox "unended')).toEqual([]);
  });

  test.skipIf(!isInstalled("script"))("completes a line typed in a terminal (skipped without script)", async () => {
    const { out } = await scene.signalbox("completion", "bash");
    const rc = scene.put("../bashrc", `PS1='> '\nbind 'set enable-bracketed-paste off'\n${out}\n`);
    const said = await typeLine(`bash --noprofile --rcfile ${rc} -i`, `signalbox run small --from ${done}:2`);
    expect(said).toContain(`[signalbox][run][small][--from][${done}:2 Decide]`);
  });
});

/** Types the line and the completion key, then prints the completed line word by word instead of running it. */
async function typeLine(shell: string, line: string): Promise<string> {
  const child = spawn("script", ["-qfec", shell, "/dev/null"], { cwd: scene.repo, env: createEnvironment() });
  let said = "";
  const waitForOutput = (what: RegExp) =>
    new Promise<void>((resolve) => {
      const look = (): void => {
        if (what.test(said)) resolve();
        else child.stdout.once("data", look);
      };
      look();
    });
  child.stdout.on("data", (chunk) => {
    said += String(chunk);
  });
  await waitForOutput(/> /);
  child.stdin.write(`${line}\t\u0001printf '[%s]' \n`);
  await waitForOutput(/\[signalbox\].*\]/);
  child.stdin.write("exit\n");
  await new Promise((ended) => child.once("close", ended));
  return said;
}

describe("completion in other shells", () => {
  test.skipIf(!isInstalled("zsh") || !isInstalled("script"))(
    "zsh completes a typed line (skipped without zsh and script)",
    async () => {
      const { out } = await scene.signalbox("completion", "zsh");
      scene.put(
        "../.zshrc",
        `PS1='> '; unsetopt zle_bracketed_paste; autoload -U compinit && compinit -u -D\n${out}\n`,
      );
      const shell = `ZDOTDIR=${join(scene.repo, "..")} zsh -d -i`;
      expect(await typeLine(shell, `signalbox approve ${question} --choose ke`)).toContain(
        `[signalbox][approve][${question}][--choose][keep]`,
      );
      expect(await typeLine(shell, `signalbox run small --from ${done}:2`)).toContain(`[--from][${done}:2 Decide]`);
    },
  );

  test.skipIf(!isInstalled("fish"))(
    "fish describes the runs and phases that it offers (skipped without fish)",
    async () => {
      const { out } = await scene.signalbox("completion", "fish");
      const script = scene.put("../complete.fish", out);
      const ask = (line: string): readonly string[] =>
        execFileSync("fish", ["--no-config", "-c", `source ${script}; complete -C ${JSON.stringify(line)}`], {
          encoding: "utf8",
          cwd: scene.repo,
          env: { ...createEnvironment(), HOME: join(scene.repo, "..") },
        })
          .trim()
          .split("\n");
      expect(ask("signalbox status ").map((line) => line.split("\t")[0])).toEqual([asking, done]);
      expect(ask(`signalbox run small --from ${done}:2`)[0]).toContain("2 Decide");
    },
  );

  test.each(["bash", "zsh", "fish"])(
    "the %s completion script never executes the program named on the typed line",
    async (shell) => {
      const { out } = await scene.signalbox("completion", shell);
      expect(out).toContain("command signalbox __complete");
      expect(out).not.toMatch(/COMP_WORDS\[0\]|words\[1\]/);
      expect((await scene.signalbox("completion", "csh", "--json")).exit).toBe(2);
    },
  );
});
