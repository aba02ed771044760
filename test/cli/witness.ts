import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { lastEvent, makeScene, type Scene } from "./scene.ts";

const PIPELINE = readFileSync(fileURLToPath(new URL("./fixtures/witness.ts", import.meta.url)), "utf8");
export const SECRET = "s3cret-value-9";

/**
 * A reviewer that refuses once, a first round that breaks the test and claims otherwise, and a second one that repairs
 * it.
 */
const GOOD = `agents:
  - { role: maker, round: 1, attempt: 1, do: [{ misbehave: 429 }] }
  - role: maker
    round: 1
    do: [{ write: { path: answer.txt, content: "41\\n" } }]
    output: { summary: "all tests \\e[31mpass\\e[0m | ${SECRET}" }
  - role: maker
    do: [{ write: { path: answer.txt, content: "42\\nof course\\n" } }]
    output: { summary: put it right }
`;
const STUBBORN = `agents:
  - role: maker
    do: [{ write: { path: answer.txt, content: "41\\n" } }]
    output: { summary: all tests pass }
`;
const MUTE = `agents:
  - { role: maker, do: [{ misbehave: no-contract }] }
`;

export type Witness = { readonly scene: Scene; run(agents: "good" | "stubborn" | "mute"): Promise<string> };

/** A repository whose one test checks that the answer begins with 42. */
export function makeWitness(): Witness {
  const scene = makeScene({ env: { DEMO_TOKEN: SECRET } });
  scene.put("answer.txt", "42\n");
  scene.put(".signalbox/pipelines/witness.ts", PIPELINE);
  const test = "head -n1 answer.txt | grep -qx 42 || { echo 'the answer is not 42'; exit 1; }";
  scene.put(".signalbox/config.yaml", `commands:\n  test: ${JSON.stringify(test)}\n`);
  scene.git("add", ".");
  scene.git("commit", "-qm", "second");
  const files = {
    good: scene.put(".git/good.yaml", GOOD),
    stubborn: scene.put(".git/stubborn.yaml", STUBBORN),
    mute: scene.put(".git/mute.yaml", MUTE),
  };
  return {
    scene,
    async run(agents) {
      const flags = ["--agents", files[agents], "--approvals", "autonomous", "--json"];
      const ended = await scene.signalbox("run", "witness", "answer the question", ...flags);
      return String(lastEvent(ended)["run"]);
    },
  };
}
