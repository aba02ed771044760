import { expect, it } from "vitest";
import { hideSignatures } from "./signatures.ts";

it.each(["MAPLE_ECHO", "CEDAR_FLUX", "BLUE_OTTER", "SILVER_KITE"])("[R-17] hides %s anywhere in a text", (value) => {
  const contract = { evidence: [`signed ${value}.`], learnings: [{ learning: `\`${value}\`` }], mode: undefined };
  expect(JSON.stringify(hideSignatures(contract))).not.toContain(value);
});

it("[R-17] hides a repository's own value where it is named as one", () => {
  expect(hideSignatures(["Agent Signature: RED_FOX, as ever", "SIGNED_VALUE=`RED_FOX`"])).toEqual([
    "Agent Signature: [signature], as ever",
    "SIGNED_VALUE=`[signature]`",
  ]);
});

it("leaves the words around a signature's name, and words that contain a value only as a part", () => {
  const texts = [
    "The contract's Agent Signature is another value; it is the bare SIGNED_VALUE of the agent's own definition.",
    "Return Agent Signature using your own SIGNED_VALUE",
    "the Agent Signature, SIGNED_VALUE - both",
    "MAPLE_ECHOES",
  ];
  expect(hideSignatures(texts)).toEqual(texts);
  expect(hideSignatures(["**Agent Signature:** RED_FOX", "_MAPLE_ECHO_"])).toEqual([
    "**Agent Signature:** [signature]",
    "_[signature]_",
  ]);
});

it("leaves everything else unchanged", () => {
  const contract = { status: "success", files: [{ path: "src/signature.ts", description: "checks signatures" }] };
  expect(hideSignatures(contract)).toEqual(contract);
});
