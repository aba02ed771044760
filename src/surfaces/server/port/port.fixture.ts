import type { PageChange, RunPage } from "../../../views/page/page.ts";
import type { Home } from "./documents.ts";
import type { ServerPort } from "./port.ts";

/** Text of hostile agents, used everywhere. */
export const HOSTILE = [
  "<script>alert(1)</script>",
  '"><img src=x onerror=alert(1)>',
  "</title><svg/onload=alert(1)>",
  "javascript:alert(1)",
  "{{constructor.constructor('alert(1)')()}}",
  "\u2028\u202ealert(1)\u0000\u001b[2J",
  "<!--<script>",
  "%3Cscript%3Ealert(1)%3C/script%3E",
].join("\n");

export const SECRET = "s3cret-value-that-nobody-may-see";

/** A run that a test advances by hand. */
export type Stage = { seq: number; title: string; ring(): void; readonly looks: { run: string; after: number }[] };

export function createStage(): Stage {
  return { seq: 1, title: HOSTILE, ring: () => {}, looks: [] };
}

/** A server port with fixed data: every answer is hostile and contains a secret. */
export function stagePort(stage: Stage): ServerPort & { readonly done: unknown[]; readonly failures: unknown[] } {
  const done: unknown[] = [];
  const failures: unknown[] = [];
  const document = { text: `${HOSTILE} ${SECRET}`, [HOSTILE]: [SECRET] };
  const lists = { needs: [], running: [], recent: [], repositories: [], unreadable: [] };
  const home: Home = { v: 1, now: 0, version: "0", ...lists };
  const page = (): RunPage => {
    const head: unknown = { run: "r-1", request: `${stage.title} ${SECRET}`, status: "running" };
    const row: unknown = { kind: "step", id: "a", seq: stage.seq, phase: "1", state: "running" };
    // The server handles a page independently of its content.
    return { v: 1, seq: stage.seq, head: head as RunPage["head"], rows: [row as RunPage["rows"][number]] };
  };
  const change = (run: string, after: number): PageChange => {
    stage.looks.push({ run, after });
    const { rows, ...rest } = page();
    return { run, after, page: { ...rest, rows: rows.filter(({ seq }) => seq > after) } };
  };
  const doing = (what: string) => async (): Promise<unknown> => {
    done.push(what);
    return document;
  };
  const gives = async <T>(): Promise<T> => {
    const given: unknown = document;
    return given as T;
  };
  return {
    version: "0.0.0",
    done,
    failures,
    now: Date.now,
    redact: (text) => text.replaceAll(SECRET, "[redacted]"),
    home: async () => home,
    watchHome: () => () => {},
    runs: {
      page: async () => page(),
      changes: async (run, after) => change(run, after),
      watch: (_, changed) => {
        stage.ring = changed;
        return () => {
          stage.ring = () => {};
        };
      },
      events: gives,
      transcript: gives,
      prompt: gives,
      contract: gives,
      output: gives,
      diff: gives,
      gate: gives,
      cost: gives,
    },
    control: {
      start: doing("start"),
      resume: doing("resume"),
      cancel: doing("cancel"),
      pause: doing("pause"),
      stop: doing("stop"),
      land: doing("land"),
      revert: doing("revert"),
      fork: doing("fork"),
    },
    questions: async () => [],
    question: gives,
    answer: async (_, { choice }) => {
      done.push("answer");
      return { answered: { choice, by: `ada ${SECRET}`, at: 1 }, mine: choice !== "late" };
    },
    pipelines: gives,
    sql: gives,
    failed: (error) => void failures.push(error),
  };
}
