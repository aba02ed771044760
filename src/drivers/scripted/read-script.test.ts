import { describe, expect, it } from "vitest";
import { SignalboxError } from "../../core/failure/errors.ts";
import { readScript } from "./read-script.ts";

function problems(text: string): string {
  try {
    readScript(text, "agents.yaml");
  } catch (error) {
    if (error instanceof SignalboxError && error.code === "SCRIPT_INVALID") return error.message;
    throw error;
  }
  throw new Error("the script was accepted");
}

describe("an agents file", () => {
  it("is read with every key that a rule may have", () => {
    const script = readScript(`
agents:
  - role: reviewer
    pipeline: roadmap
    phase: 7 Code review
    instance: security-sentinel
    task: 12
    round: 2
    attempt: 1
    do:
      - write: { path: src/a.js, content: "x" }
      - delete: src/b.js
      - run: "node -e 1"
      - sleep: 200
      - misbehave: flood:1000
      - misbehave: 429
    output: { verdicts: { ok: true } }
  - role: "*"
    reply: "free text"
`);
    expect(script.agents).toHaveLength(2);
    expect(script.agents[0]).toMatchObject({ task: "12", round: 2, do: { length: 6 } });
    expect(script.agents[0]?.do?.[5]).toEqual({ misbehave: "429" });
    expect(script.agents[1]).toEqual({ role: "*", reply: "free text" });
  });

  it("with an unknown key is refused with the line, the rule and a suggestion", () => {
    const text = "agents:\n  - role: a\n    reply: x\n  - rolle: b\n    reply: y\n";
    expect(problems(text)).toContain(
      'agents.yaml is invalid:\n  line 4, rule 2, rolle: unknown key "rolle"; did you mean "role"?',
    );
    expect(problems("agents: []\nagent: []\n")).toContain('line 2, agent: unknown key "agent"; did you mean "agents"?');
    expect(problems("agents:\n  - do:\n      - wirte: x\n")).toContain(
      'line 3, rule 1, do[1].wirte: unknown key "wirte"; did you mean "write"?',
    );
    expect(problems("agents:\n  - zzzzzz: 1\n")).toContain("known keys: role, key, pipeline, phase");
  });

  it("with a wrong value is refused with the expected and the actual one", () => {
    expect(problems("agents:\n  - role: a\n    round: two\n")).toContain(
      'line 3, rule 1, round: expected number, found "two"',
    );
    expect(problems("agents:\n  - do:\n      - write: { path: a }\n")).toContain(
      "line 3, rule 1, do[1].write.content: expected string, found nothing",
    );
    expect(problems("agents: 3\n")).toContain("line 1, agents: expected array, found 3");
    expect(problems("")).toContain("expected object, found nothing");
  });

  it("with an unknown misbehavior is refused with the known ones", () => {
    const message = problems("agents:\n  - do:\n      - misbehave: sulk\n");
    expect(message).toContain("line 3, rule 1, do[1].misbehave: expected one of hang, crash, exit:N");
    expect(message).toContain('found "sulk"');
  });

  it("with two actions in one entry, or two answers in one rule, is refused", () => {
    expect(problems("agents:\n  - do:\n      - sleep: 1\n        run: ls\n")).toContain(
      "rule 1, do[1]: expected exactly one of write, delete, run, sleep, misbehave",
    );
    expect(problems("agents:\n  - reply: a\n    output: { b: 1 }\n")).toContain(
      "rule 1: expected output or reply, not both",
    );
  });

  it("with several mistakes lists them all", () => {
    const message = problems("agents:\n  - round: x\n  - attempt: y\n");
    expect(message).toContain("line 2, rule 1, round");
    expect(message).toContain("line 3, rule 2, attempt");
  });

  it("with invalid YAML is refused with the line", () => {
    expect(problems("agents:\n  - role: [a\n")).toMatch(/line [23]: not YAML/);
  });
});
