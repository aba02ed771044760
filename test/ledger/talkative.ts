import type { AttemptRequest, Effect } from "../../src/core/journal/effect.ts";
import { formatPrompt } from "../../src/engine/execute/attempt/prompt.ts";
import { changesIn, type Play, RED } from "../support/answers/paper-world.ts";
import { approve, type Played, pipeline, play, type Setting } from "./paper.ts";

/** Agents with answers as long as real ones for a change of fifteen lines; the texts are always the same. */
const createText = (about: string, characters: number): string => {
  const words = `the queue keeps its items in a linked list and ${about} reads the head without moving it so callers that loop see each value once while size stays what it was before any call`;
  const list = words.split(" ");
  const start = [...about].reduce((sum, letter) => sum + letter.charCodeAt(0), 0) % list.length;
  const text = [...list.slice(start), ...list, ...list, ...list, ...list].join(" ");
  return `${about}: ${text.slice(0, characters)}`;
};
const many = <T>(count: number, each: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => each(at + 1));

const finding = (by: string, at: number, severity: string) => ({
  severity,
  category: "correctness",
  message: createText(`${by} finding ${at}`, 240),
  files: ["src/queue.ts"],
});

const research = ({ instance }: AttemptRequest) => ({
  contract: {
    summary: createText(`${instance} summary`, 150),
    findings: many(6, (at) => ({
      id: `F-${at}`,
      title: createText(`${instance} title ${at}`, 50),
      detail: createText(`${instance} detail ${at}`, 320),
      evidence: [`src/queue.ts:${at}`, `test/queue.test.ts:${at}`],
    })),
    source_files_examined: ["src/queue.ts", "test/queue.test.ts", "package.json", "readme.md"],
  },
});

const spec = () => ({
  contract: {
    feature_name: "Look at the next value without taking it",
    summary: createText("spec summary", 150),
    functional_requirements: many(6, (at) => ({ id: `FR-${at}`, text: createText(`requirement ${at}`, 130) })),
    acceptance_criteria: many(7, (at) => ({
      id: `AC-${at}`,
      text: createText(`criterion ${at}`, 150),
      test_method: "test",
    })),
    edge_cases: many(4, (at) => createText(`edge case ${at}`, 110)),
  },
});

const designer = ({ round }: AttemptRequest) => ({
  contract: {
    summary: createText(`design summary ${round}`, 150),
    architecture: createText(`architecture of round ${round}`, 700),
    decisions: many(4, (at) => ({
      id: `D-${at}`,
      title: createText(`decision ${at}`, 60),
      risk: "🟢",
      rationale: createText(`rationale ${at} of round ${round}`, 300),
    })),
  },
});

const planner = ({ round }: AttemptRequest) => ({
  contract: {
    summary: createText(`plan summary ${round}`, 120),
    tasks: [
      {
        id: "peek",
        title: "Add peek to the queue",
        size: "Standard",
        risk: "🟡",
        depends_on: [],
        acceptance_criteria: many(7, (at) => createText(`criterion ${at}`, 150)),
        files: ["src/peek.ts", "src/queue.ts", "test/queue.test.ts", "readme.md"],
        relevant_context: { design_sections: ["D-1", "D-2"], spec_requirements: ["FR-1", "FR-2"] },
      },
    ],
  },
});

const CODE = many(24, (at) => `  const line${at} = this.items[${at}] ?? fallback(${at});`).join("\n");

const getTaskId = (input: unknown): string => (input as { task: { id: string } }).task.id;

type Trouble = { readonly design?: true; readonly verification?: true; readonly code?: true };

const implementer =
  ({ verification }: Trouble) =>
  ({ round, input }: AttemptRequest): Play => ({
    contract: {
      summary: createText(`${getTaskId(input)} of round ${round}`, 180),
      changes: ["src/queue.ts", "test/queue.test.ts", "readme.md"].map((path) => ({
        path,
        description: createText(`${path} by ${getTaskId(input)} of round ${round}`, 90),
      })),
      self_fix_attempts: 0,
    },
    files: {
      "src/queue.ts": verification && round === 1 ? `${RED}\n${CODE}` : `// ${round} ${getTaskId(input)}\n${CODE}`,
      "test/queue.test.ts": `${CODE}\n${CODE}`,
    },
  });

const reviewer =
  ({ design, code }: Trouble) =>
  ({ instance, round, phase }: AttemptRequest): Play => {
    const objects = round === 1 && (phase === "3b Design review" ? design : code);
    return {
      contract: {
        summary: createText(`${instance} verdict of ${phase} ${round}`, 150),
        verdicts: { ...approve, ...(objects && { correctness: "needs_revision" }) },
        findings: objects
          ? many(2, (at) => finding(`${instance} ${phase}`, at, "Major"))
          : many(1, (at) => finding(`${instance} ${phase} ${round}`, at, "Minor")),
      },
    };
  };

const verifier = ({ round }: AttemptRequest) => ({
  contract: { status: "DONE", summary: createText(`verifier of round ${round}`, 180), findings: [] },
});

const answerDiff = (effect: Effect, paper: (effect: Effect) => unknown): unknown => {
  if (effect.kind !== "see" || effect.request.what !== "diff") return paper(effect);
  // The engine sends the arguments of the verb.
  const { from, to } = effect.request.args as unknown as { from: { tree: string }; to: { tree: string } };
  const before = changesIn(from.tree);
  return Object.entries(changesIn(to.tree))
    .filter(([path, text]) => before[path] !== text)
    .map(([path, text]) => `--- a/${path}\n+++ b/${path}\n${text.replaceAll(/^/gm, "+")}`)
    .join("\n");
};

export const talk = (trouble: Trouble = {}, setting: Setting = {}): Promise<Played> =>
  play({
    perform: answerDiff,
    ...setting,
    parts: {
      researcher: research,
      spec,
      designer,
      planner,
      verifier,
      implementer: implementer(trouble),
      reviewer: reviewer(trouble),
      knowledge: () => ({
        contract: {
          summary: createText("looking back", 150),
          decision_log_entries: [{ id: "DL-1", title: createText("log", 60), rationale: createText("log why", 200) }],
        },
      }),
      ...setting.parts,
    },
  });

/** Renders the prompt as an agent would get it. */
export function promptOf(request: AttemptRequest): string {
  const role = pipeline.roles.find((each) => each.name === request.role);
  if (!role) throw new Error(`no role ${request.role}`);
  const definition = { prompt: role.prompt ?? role.does } as Parameters<typeof formatPrompt>[0]["definition"];
  // A tree id of the paper world is its content; a real one has forty characters.
  return formatPrompt({ definition, role, request, dialect: pipeline.dialect }).replaceAll(
    /tree-[\w-]+/g,
    "0".repeat(40),
  );
}

export type Measure = { readonly dispatches: number; readonly characters: number; readonly repeated: number };

/** Measures repetition: lines of forty or more characters that occurred in an earlier prompt of the run. */
export function measure({ sent }: Pick<Played, "sent">): Measure {
  const seen = new Set<string>();
  let [characters, again] = [0, 0];
  for (const request of sent) {
    const prompt = promptOf(request);
    const lines = prompt.split("\n").map((line) => line.trim());
    characters += prompt.length;
    again += lines.filter((line) => line.length >= 40 && seen.has(line)).reduce((sum, line) => sum + line.length, 0);
    for (const line of lines) seen.add(line);
  }
  return { dispatches: sent.length, characters, repeated: Math.round((100 * again) / characters) };
}
