import { expect, test } from "vitest";
import { shortagesOf, shortageText } from "./shortage.ts";

const RUN = { kind: "run", needs: ["pipeline:task@0123456789ab", "gpu"], worker: null } as const;
const AGENT = { kind: "effect", needs: ["agent:codex"], worker: null } as const;
const worker = (machine: string, ...labels: string[]) => ({ id: `id-of-${machine}`, machine, labels, repo: "here" });

test("what a worker offers is no shortage, and neither is what somebody has taken", () => {
  const offering = [worker("a"), worker("b", ...RUN.needs)];
  expect(shortagesOf({ tasks: [RUN], workers: offering, repo: "here" })).toEqual([]);
  expect(shortagesOf({ tasks: [{ ...RUN, worker: "a" }], workers: [], repo: "here" })).toEqual([]);
});

test("a worker of another repository offers nothing here", () => {
  const elsewhere = { ...worker("b", ...RUN.needs), repo: "there" };
  const [shortage] = shortagesOf({ tasks: [RUN], workers: [elsewhere], repo: "here" });
  expect(shortage && shortageText(shortage)).toBe(
    "no worker of this repository is there; the run needs the pipeline task in this version (0123456789ab) and gpu",
  );
});

test("the text names what the nearest worker lacks, and what each of them does", () => {
  const workers = [worker("a"), worker("b", RUN.needs[0])];
  const [shortage] = shortagesOf({ tasks: [RUN], workers, repo: "here" });
  expect(shortage && shortageText(shortage)).toBe(
    "the run needs gpu, which no worker offers; there are a (without the pipeline task in this version (0123456789ab) and gpu), b (without gpu)",
  );
});

test("an agent that nobody has is named", () => {
  const [shortage] = shortagesOf({ tasks: [AGENT], workers: [worker("a", "agent:claude")], repo: "here" });
  expect(shortage && shortageText(shortage)).toBe(
    "an agent of the run needs agent:codex, which no worker offers; there are a (without agent:codex)",
  );
});

test("two workers of one machine are told apart", () => {
  const workers = ["0f1e2d3c4b5a", "a1b2c3d4e5f6"].map((id) => ({ ...worker("a"), id }));
  const [shortage] = shortagesOf({ tasks: [AGENT], workers, repo: "here" });
  expect(shortage && shortageText(shortage)).toContain(
    "a/0f1e2d3c (without agent:codex), a/a1b2c3d4 (without agent:codex)",
  );
});
