import { execFileSync } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, expect, test } from "vitest";
import { stringify } from "yaml";
import { type CommandEnd, makeScene, type Scene } from "../cli/scene.ts";
import { world as ledger } from "../worlds/ledger.ts";
import { ENVIRONMENT, formsOf, needles, PLANTED } from "./planted.ts";

const LEAKY = fileURLToPath(new URL("./leaky.mjs", import.meta.url));
/** Builds the page that HTML reports contain. */
const WEB = fileURLToPath(new URL("../../scripts/web.mjs", import.meta.url));
const NEEDLES = needles();

/** Every secret in every form, in sentences as programs print them. */
const PAYLOAD = PLANTED.flatMap((each) =>
  formsOf(each).map((form, index) => `${index}: using ${form} now, "k": "${form}"`),
).join("\n");

type CapturedOutput = Map<string, string | Buffer>;

/** Lists the planted secrets found, with the place. */
function findSecrets(heard: CapturedOutput): readonly string[] {
  return [...heard].flatMap(([where, text]) => {
    const bytes = Buffer.from(text);
    const found = [...NEEDLES].filter(([needle]) => bytes.includes(needle)).map(([, name]) => name);
    return [...new Set(found)].map((name) => `${name} in ${where}`);
  });
}

function listFiles(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

type SecretScene = {
  readonly scene: Scene;
  readonly heard: CapturedOutput;
  readonly payload: string;
  readonly seen: string;
};

/** A user whose environment, repository and agents are full of secrets. */
function createScene(): SecretScene {
  const scene = makeScene({ env: { ...ENVIRONMENT, SIGNALBOX_SANDBOX: "off" } });
  const payload = scene.put("../payload.txt", PAYLOAD);
  const seen = join(scene.repo, "../arguments");
  scene.put(".env", PLANTED.map(({ value }, at) => `S${at}=${JSON.stringify(value)}`).join("\n"));
  scene.put("README.md", `# here\n\n${PAYLOAD}\n`);
  scene.put("src/old.js", "export const old = 1;\n");
  return { scene, heard: new Map(), payload, seen };
}

/** Runs a command and returns both output streams. */
async function runAndCapture({ scene, heard }: SecretScene, ...args: readonly string[]): Promise<CommandEnd> {
  const ended = await scene.signalbox(...args);
  heard.set(`signalbox ${args.join(" ")}`, `${ended.out}\n${ended.err}`);
  return ended;
}

const LOOKS: readonly (readonly string[])[] = [
  ...[["ps"], ["status"], ["why"], ["logs", "--lines", "all"], ["logs"], ["events"], ["evidence"], ["diff"], ["inbox"]],
  ...["html", "junit", "sarif", "github"].map((name) => ["report", "--reporter", name]),
  ...[["report"], ["report", "--reporter", "json"], ["evidence", "--verify"], ["config", "explain"], ["config", "get"]],
  ...[["sql", "select * from anvil_checks"], ["sql", "select body from journal"], ["agents", "list"], ["gc"]],
];

async function lookEverywhere(at: SecretScene, ...form: readonly string[]): Promise<void> {
  for (const look of LOOKS) await runAndCapture(at, ...look, ...form);
  for (const folder of [join(at.scene.repo, ".signalbox"), join(at.scene.repo, "../state")])
    for (const file of listFiles(folder)) at.heard.set(file.slice(at.scene.repo.length), readFileSync(file));
  at.heard.set("all commits", at.scene.git("log", "--branches", "--format=%B%N"));
  at.heard.set("arguments of processes", readFileSync(at.seen));
}

beforeAll(() => void execFileSync(process.execPath, [WEB, "--if-changed"]));

/** Returns the statement that `attest` signed, as text. */
async function readStatement({ scene }: SecretScene): Promise<string> {
  const { privateKey } = generateKeyPairSync("ed25519");
  const key = scene.put("../key.pem", String(privateKey.export({ type: "pkcs8", format: "pem" })));
  const { out, err } = await scene.signalbox("attest", "--key", key);
  expect(err).toBe("");
  return Buffer.from(JSON.parse(out).payload, "base64").toString("utf8");
}

test("60 secrets that agents and checks print in every form are in no output of a whole ledger run", {
  timeout: 300_000,
}, async () => {
  const at = createScene();
  const { scene, payload, seen } = at;
  expect(PLANTED).toHaveLength(60);
  expect(findSecrets(new Map([["the payload", PAYLOAD]]))).toHaveLength(60);
  // `cat` fails if a process ends while it is read; the check must not depend on that.
  const spill = `cat ${payload}; cat ${payload} >&2; cat /proc/[0-9]*/cmdline 2>/dev/null >> ${seen}; test -d src`;
  scene.put(".signalbox/config.yaml", `commands:\n  build: ${JSON.stringify(spill)}\n  test: test -d src\n`);
  scene.git("add", "-f", ".");
  scene.git("commit", "-qm", "begin");
  const agents = ledger.agents.map((agent) => {
    // Each rule of a scripted-agents file is a mapping.
    const rule = agent as { readonly do?: readonly object[]; readonly output?: object };
    const extra = { run: `${spill}; mkdir -p src; cp ${payload} src/$SIGNALBOX_TASK.txt` };
    return { ...rule, do: [extra, ...(rule.do ?? [])], output: { ...rule.output, summary: PAYLOAD, note: PAYLOAD } };
  });
  const crash = { role: "implementer", attempt: 1, do: [{ run: spill }, { misbehave: "exit:1" }], output: {} };
  writeFileSync(scene.agents, stringify({ agents: [crash, ...agents] }));
  const input = scene.put("../input.json", JSON.stringify({ request: `Greet people. ${PAYLOAD}` }));
  const tapes = join(scene.repo, "../tapes");
  const flags = ["--agents", scene.agents, "--record", tapes, "--approvals", "autonomous", "--json"];
  const ended = await runAndCapture(at, "run", "ledger", "--input", `@${input}`, ...flags);
  expect(ended.exit, ended.out.slice(-3_000) + ended.err).toBe(0);
  await lookEverywhere(at);
  at.heard.set("the signed statement", await readStatement(at));
  for (const file of listFiles(tapes)) at.heard.set(`cassette ${file}`, readFileSync(file));
  expect(findSecrets(at.heard)).toEqual([]);
  expect(at.heard.size).toBeGreaterThan(60);
});

test("60 secrets are in no output when an agent of any kind runs, fails, and shows them to a person", {
  timeout: 300_000,
}, async () => {
  const at = createScene();
  const { scene, payload, seen } = at;
  const play = (how: string): void => {
    const line = `cat /proc/[0-9]*/cmdline 2>/dev/null >> ${seen}; ${how} LEAKS=${payload} exec node ${LEAKY}`;
    const writer = { driver: "command", argv: ["sh", "-c", line] };
    scene.put(".signalbox/config.yaml", stringify({ agents: { "*": writer } }));
  };
  play("FAILS=yes");
  scene.git("add", "-f", ".");
  scene.git("commit", "-qm", "begin");
  const failed = await runAndCapture(at, "run", "small", "x", "--json");
  expect(failed.events.at(-1), failed.err).toMatchObject({ status: "error" });
  await runAndCapture(at, "why");
  play("");
  const asked = await runAndCapture(
    at,
    "run",
    "small",
    "x",
    "--input",
    "finish=ask",
    "--approvals",
    "interactive",
    "--json",
  );
  expect(asked.events.at(-1), asked.out.slice(-3_000) + asked.err).toMatchObject({ status: "waiting" });
  await runAndCapture(at, "inbox");
  const question = asked.events.find((event) => event.type === "approval.requested");
  await runAndCapture(
    at,
    "approve",
    String(question?.["approval"]),
    "--choose",
    "keep",
    "--note",
    PAYLOAD.slice(0, 60_000),
  );
  await runAndCapture(at, "resume");
  await lookEverywhere(at, "--json");
  await runAndCapture(at, "sql", `select '${PLANTED[0]?.value}' from nothing`);
  await runAndCapture(at, "run", PLANTED[0]?.value ?? "", "x");
  expect(findSecrets(at.heard)).toEqual([]);
});
