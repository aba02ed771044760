import { expect, test } from "vitest";
import {
  ADR,
  blocked,
  createItem,
  inputOf,
  itemOf,
  iterations,
  type Part,
  type Played,
  play,
  reply,
  reportText,
  says,
  signatureOf,
  steps,
  success,
} from "./paper.ts";

const SIGNED = ["Research", "Architect", "Testing", "Review"] as const;
const COMPLEX = [createItem(1, { complexity: "complex" })];
const GOOD = "- Status: success\n- Evidence: seen";
const answers = (text: string): Part => {
  return () => ({ reply: text });
};
const blockOf = (played: Played) => {
  const { blockedReason, blockedBy, blockedAt, blockedCategory } = itemOf(played, 1);
  return { blockedReason, blockedBy, blockedAt, blockedCategory };
};

test("[R-15] a reply without the contract section blocks with a fixed text", async () => {
  const played = await play({ items: COMPLEX, parts: { Research: answers("All done. It works.") } });
  expect(played).toMatchObject({ status: "blocked", exit: 3 });
  expect(blockOf(played)).toEqual({
    blockedReason: "missing output contract",
    blockedBy: "Research",
    blockedAt: "Research",
    blockedCategory: "contract_missing",
  });
});

test("[R-16] a signed contract passes", async () => {
  const played = await play({ items: COMPLEX, parts: { Research: answers(reply("Research", GOOD)) } });
  expect(played.status).toBe("done");
});

test.each([
  ["is missing", "", "signature_missing"],
  ["is empty", "- Agent Signature:", "signature_missing"],
  ["is another's", `- Agent Signature: ${signatureOf("Review")}`, "signature_mismatch"],
  ["is the placeholder", "- Agent Signature: SIGNED_VALUE", "contract_invalid"],
  ["stands in backticks", `- Agent Signature: \`${signatureOf("Research")}\``, "signature_mismatch"],
  ["has another form", `- Agent signature: ${signatureOf("Research")}`, "signature_mismatch"],
])("[R-16] a signature that %s fails closed", async (_how, line, category) => {
  const played = await play({ items: COMPLEX, parts: { Research: answers(reply("Research", GOOD, line)) } });
  expect(blockOf(played)).toMatchObject({ blockedBy: "Research", blockedCategory: category });
  expect(steps(played)).toEqual(["Research"]);
});

test("[R-16] Implement needs no signature", async () => {
  const fields = `${GOOD}\n- Files: src/a.ts — a`;
  const Implement = () => ({ reply: reply("Implement", fields, ""), files: { "src/a.ts": "a\n" } });
  const played = await play({ parts: { Implement } });
  expect(steps(played)).toContain("Testing");
});

test("[R-30] the named agents get the sentence about their signature, Implement does not", async () => {
  const played = await play({ items: COMPLEX });
  const sentence = "Return Agent Signature using your own SIGNED_VALUE from your agent markdown.";
  const told = played.sent.map(({ role }, at) => [role, played.prompts[at]?.includes(sentence)]);
  expect(told).toEqual(played.sent.map(({ role }) => [role, role !== "Implement"]));
  for (const role of SIGNED) expect(signatureOf(role)).toMatch(/^[A-Z_]+$/);
});

test("[R-17] a signature value appears only in the definition of its own agent", async () => {
  const leaks = SIGNED.map(signatureOf).join(" ");
  const gossip = { evidence: [`they sign ${leaks}`], learnings: [leaks] };
  const parts = {
    Research: says({ ...success, ...gossip }),
    Implement: ({ task }: { readonly task: string }) => ({
      contract: { ...success, ...gossip, files: [`src/item-${task}.ts — ${leaks}`] },
      files: { [`src/item-${task}.ts`]: "export {};\n" },
    }),
    Testing: says({ ...success, ...gossip }),
  };
  const played = await play({ items: [...COMPLEX, createItem(2)], parts });
  expect(played.status).toBe("done");
  for (const [at, { role, input }] of played.sent.entries()) {
    for (const signed of SIGNED) {
      expect(JSON.stringify(input)).not.toContain(signatureOf(signed));
      expect(played.prompts[at]?.split(signatureOf(signed)).length).toBe(role === signed ? 2 : 1);
    }
  }
  for (const text of played.checkout.values()) for (const role of SIGNED) expect(text).not.toContain(signatureOf(role));
});

test("[R-19] only contract fields are forwarded: no prose, no later text, no nonce, no signature", async () => {
  const noise = "I ran the tests:\n```\nPASS a.test.ts (12 ms)\n```\n";
  const contract = reply("Research", "- Status: success\n- Evidence: src/very/deep/path/store.ts:12\n- Mood: good");
  const played = await play({ items: COMPLEX, parts: { Research: answers(`${noise}\n${contract}\n\nBye, PASS.`) } });
  expect(inputOf(played, "Architect (design)")["research"]).toEqual({
    status: "success",
    evidence: ["src/very/deep/path/store.ts:12"],
    learnings: [],
  });
  expect(JSON.stringify(played.sent.slice(1).map(({ input }) => input))).not.toMatch(/PASS|mood|Mood|[Nn]once|Bye/);
});

test("[R-32] of each contract exactly the named fields are kept", async () => {
  const extra = { learnings: ["l"], blockedReason: "never mind" };
  const architect: Part = ({ instance }) =>
    instance === "Architect (design)"
      ? {
          contract: { ...success, ...extra, mode: "design", adr: ADR, boundaries: ["store | page"] },
          files: { [ADR]: "# Store\n" },
        }
      : { contract: { ...success, ...extra, mode: "validation", evidence: ["aligned"] } };
  const parts = {
    Research: says({ ...success, ...extra, evidence: ["found"] }),
    Architect: architect,
    Implement: says({ ...success, ...extra, files: ["src/a.ts — a"] }, { "src/a.ts": "a\n" }),
    Testing: says({ ...success, ...extra, evidence: ["ran"] }),
    Review: says({ ...success, ...extra, verdict: "ship", evidence: ["read"] }),
  };
  const played = await play({ items: COMPLEX, parts });
  expect(iterations(played)[0]).toHaveProperty("outputs", {
    Research: { status: "success", evidence: ["found"], learnings: ["l"] },
    "Architect (design)": {
      status: "success",
      mode: "design",
      adrPath: ADR,
      boundaries: ["store | page"],
      learnings: ["l"],
    },
    Implement: { status: "success", files: [{ path: "src/a.ts", description: "a" }], learnings: ["l"] },
    "Architect (validation)": { status: "success", mode: "validation", evidence: ["aligned"] },
    Testing: { status: "success", evidence: ["ran"], failures: [] },
    Review: { status: "success", verdict: "ship", evidence: ["read"], failures: [] },
  });
});

test("[R-32] Implement's evidence goes to Testing only", async () => {
  const played = await play({ items: COMPLEX });
  const informed = played.sent.filter(({ input }) => JSON.stringify(input).includes("item 1 is built"));
  expect(informed.map(({ instance }) => instance)).toEqual(["Testing"]);
});

const LONG = "adds two numbers\n  expected 2\n  got 3\n  at add (src/a.ts:9)\n  at run";

test("[R-33] a failure is shown with its first three lines, and stored whole in the journal", async () => {
  const played = await play({ parts: { Testing: says({ ...success, failures: [LONG] }) } });
  const shown = JSON.stringify([played.report, reportText(played)]);
  expect(shown).toContain("got 3");
  expect(shown).not.toContain("at add");
  const claim = played.records.find((each) => each.type === "claim.recorded" && each.role === "Testing");
  expect(claim).toMatchObject({ claim: { failures: [LONG] } });
});

test.each([
  ["Research", says(blocked), "agent_blocked"],
  ["Architect", says({ ...blocked, mode: "design" }), "agent_blocked"],
  ["Implement", says(blocked), "implementation_blocked"],
  ["Testing", says(blocked), "test_failure"],
  ["Review", says({ ...blocked, verdict: "ship" }), "agent_blocked"],
])("[R-34] a blocked %s blocks the item and names its category", async (role, part, category) => {
  const played = await play({ items: COMPLEX, parts: { [role]: part } });
  expect(blockOf(played)).toMatchObject({ blockedBy: role, blockedCategory: category });
  expect(blockOf(played).blockedReason).toContain("the API key is missing");
});

test.each(["minor_fixes", "needs_work"])(
  "[R-34] a Review with verdict %s blocks with review_verdict",
  async (verdict) => {
    for (const contract of [success, blocked]) {
      const played = await play({ parts: { Review: says({ ...contract, verdict }) } });
      expect(blockOf(played)).toMatchObject({ blockedBy: "Review", blockedCategory: "review_verdict" });
    }
  },
);

test("[R-34] the form is checked before the signature, and the signature before the content", async () => {
  const unsigned = reply("Testing", "- Status: blocked\n- Evidence: ran\n- Blocked reason: x", "");
  const parts = (text: string) => ({ parts: { Testing: answers(text) } });
  expect(blockOf(await play(parts(unsigned)))).toMatchObject({ blockedCategory: "signature_missing" });
  const formless = unsigned.replace("- Evidence: ran\n", "");
  expect(blockOf(await play(parts(formless)))).toMatchObject({ blockedCategory: "contract_invalid" });
  expect(blockOf(await play(parts(`${formless}\n\n${formless}`)))).toMatchObject({
    blockedCategory: "contract_ambiguous",
  });
});

test("[R-31] an invalid contract blocks with contract_invalid and the name of the field", async () => {
  const played = await play({ parts: { Review: says(success) } });
  expect(blockOf(played)).toMatchObject({ blockedBy: "Review", blockedCategory: "contract_invalid" });
  expect(blockOf(played).blockedReason).toContain("verdict");
});

test("[R-31] Mode must be the dispatched mode", async () => {
  const always = says({ ...success, mode: "design", adr: ADR }, { [ADR]: "# Store\n" });
  const played = await play({ items: COMPLEX, parts: { Architect: always } });
  expect(blockOf(played)).toMatchObject({
    blockedAt: "Architect (validation)",
    blockedCategory: "contract_invalid",
    blockedReason: "Mode: expected validation, found design",
  });
});

test("[R-18] a step that does not pass is the last one of its item", async () => {
  const cases: [string, Part, string][] = [
    ["Research", says(blocked), "Research"],
    ["Architect", says({ ...success, mode: "design" }), "Architect (design)"],
    ["Implement", says({ ...success, files: [] }), "Implement"],
    ["Testing", says({ ...success, failures: ["one"] }), "Testing"],
    ["Review", says({ ...success, verdict: "minor_fixes" }), "Review"],
  ];
  for (const [role, part, last] of cases) {
    const played = await play({ items: COMPLEX, parts: { [role]: part } });
    expect(played.status).toBe("blocked");
    expect(steps(played).at(-1)).toBe(last);
  }
});

test("[R-26] Implement's dispatch contains the form of its answer", async () => {
  const played = await play();
  const prompt = played.prompts[played.sent.findIndex(({ role }) => role === "Implement")] ?? "";
  const form = prompt.slice(prompt.lastIndexOf("### Orchestrator Contract"));
  for (const field of ["Status: success | blocked", "Files:", "Evidence:", "Learnings:", "Blocked reason:"]) {
    expect(form).toContain(`- ${field}`);
  }
});

test("[A-11] a contract that only repeats the form is invalid", async () => {
  const played = await play({ parts: { Implement: says({ ...success, files: ["src/a.ts"], evidence: ["<text>"] }) } });
  expect(blockOf(played)).toMatchObject({ blockedCategory: "contract_invalid" });
});
