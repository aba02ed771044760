import { createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { JournalRecord } from "../../core/journal/record.ts";
import { buildMessageBody, buildMessageHeaders } from "./message.ts";
import { createNoticeReader, type Notice } from "./notice.ts";

const HOSTILE = [
  "<!channel> <!here> <@U123> look",
  "<https://evil.example|click me>",
  "https://evil.example/steal",
  "*bold* _it_ ~no~ `code` ```",
  "&lt;!channel&gt;",
  '"}],"blocks":[{"type":"image"',
];

const notice = (text: string): Notice => ({
  event: "waiting",
  run: "20261117-abc",
  seq: 7,
  at: 1_700_000_000_000,
  pipeline: "ledger",
  repository: text,
  needs: "a person's answer",
  title: text,
  because: text,
  next: [`signalbox approve a-1 --choose "${text}"`],
});

describe("a message for Slack", () => {
  it.each(HOSTILE)("cannot link or mention through text of an agent: %s", (text) => {
    const message = JSON.parse(buildMessageBody("slack", notice(text), "id"));
    const marked = [message.text, ...textsOf(message.blocks, "mrkdwn")];
    for (const each of marked) {
      expect(each).not.toMatch(/[<>]/);
      expect(each).not.toMatch(/&(?!amp;|lt;|gt;)/);
    }
    expect(message).toMatchObject({ parse: "none", link_names: false, unfurl_links: false });
    expect(message.blocks.map((block: { type: string }) => block.type)).toEqual(["section", "context", "section"]);
    // Only the three fence characters at either end.
    expect(textsOf(message.blocks, "mrkdwn").join("").match(/`/g)).toHaveLength(6);
    expect(message.blocks.at(-1).text.verbatim).toBe(true);
  });

  it("shows title, run and needed action as plain text", () => {
    const message = JSON.parse(buildMessageBody("slack", notice("Ship it?"), "id"));
    expect(textsOf(message.blocks, "plain_text")).toEqual([
      "◆ Ship it?: Ship it?",
      "Ship it?\nledger 20261117-abc · needs a person's answer",
    ]);
  });
});

function textsOf(blocks: readonly unknown[], kind: string): readonly string[] {
  const texts: string[] = [];
  JSON.stringify(blocks, (_key, value: unknown) => {
    if (typeof value === "object" && value !== null && "type" in value && value.type === kind && "text" in value)
      texts.push(String(value.text));
    return value;
  });
  return texts;
}

describe("a message as JSON", () => {
  it("names the run, record and commands, and is the same every time", () => {
    const body = buildMessageBody("json", notice("Ship it?"), "r.7.t");
    expect(body).toBe(buildMessageBody("json", notice("Ship it?"), "r.7.t"));
    expect(JSON.parse(body)).toEqual({
      v: 1,
      id: "r.7.t",
      at: "2023-11-14T22:13:20.000Z",
      event: "waiting",
      run: "20261117-abc",
      seq: 7,
      pipeline: "ledger",
      repository: "Ship it?",
      needs: "a person's answer",
      title: "Ship it?",
      because: "Ship it?",
      next: ['signalbox approve a-1 --choose "Ship it?"'],
    });
  });
});

describe("the end of a run", () => {
  const GATE = {
    type: "gate.evaluated",
    key: "1 Work/gate",
    gate: "work",
    rule: "R-1",
    actual: 0,
    need: 1,
    params: {},
  };
  const headOf = (...facts: readonly object[]) => {
    const { take } = createNoticeReader({ repository: "repo", redact: (text) => text });
    const started = { type: "run.started", pipeline: "p", version: 1, input: {}, phases: [], commands: [] };
    const base = { commit: "c".repeat(40), tree: "t".repeat(40) };
    const records = [{ ...started, base }, ...facts].map((fact, at) => ({ v: 1, seq: at, ts: at, run: "r", ...fact }));
    // The cast holds: an event with a stamp is a record.
    const told = records.map((record) => take(record as unknown as JournalRecord)).at(-1);
    return told && [JSON.parse(buildMessageBody("slack", told, "id")).text, told.state, told.needs];
  };
  const end = (status: string) => ({ type: "run.finished", status, exit: 0 });

  it("is green only if every gate passed", () => {
    expect(headOf({ ...GATE, passed: true }, end("done"))).toEqual(["✓ repo: finished: done", "done", "nobody"]);
    expect(headOf({ ...GATE, passed: false }, end("done"))).toEqual([
      "▪ repo: finished: ended",
      "ended",
      "a person to review it",
    ]);
    expect(headOf(end("canceled"))).toEqual(["‖ repo: finished: canceled", "canceled", "nobody"]);
  });

  it("is not green in a notice without a state", () => {
    const message = JSON.parse(buildMessageBody("slack", { ...notice("x"), event: "finished" }, "id"));
    expect(message.text).toBe("▪ x: x");
  });
});

describe("the headers of a message", () => {
  it("contain the key of the event, and no signature without a secret", () => {
    const headers = buildMessageHeaders({ id: "r.7.t", body: "{}", secret: undefined }, 5_000);
    expect(headers).toMatchObject({ "idempotency-key": "r.7.t", "webhook-id": "r.7.t", "webhook-timestamp": "5" });
    expect(headers).not.toHaveProperty("webhook-signature");
  });

  it("are signed over id, time and body, with the secret as text or in base64 after whsec_", () => {
    const expected = createHmac("sha256", "a secret of ours").update("r.7.t.5.{}").digest("base64");
    const secrets = ["a secret of ours", `whsec_${Buffer.from("a secret of ours").toString("base64")}`];
    for (const secret of secrets)
      expect(buildMessageHeaders({ id: "r.7.t", body: "{}", secret }, 5_999)["webhook-signature"]).toBe(
        `v1,${expected}`,
      );
  });
});
