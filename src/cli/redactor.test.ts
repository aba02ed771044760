import { expect, test } from "vitest";
import { redactor } from "./redactor.ts";

test("the values of secret variables are taken out of a text, whatever surrounds them", () => {
  const redact = redactor({ MY_API_KEY: "sk-12345678", HOME: "/home/somebody", SHORT_TOKEN: "abc" });
  expect(redact("key=sk-12345678;home=/home/somebody abc")).toBe("key=[MY_API_KEY];home=/home/somebody abc");
});

test("a secret inside a longer one does not leave the rest of the longer one behind", () => {
  const redact = redactor({ A_TOKEN: "12345678", B_TOKEN: "12345678-tail" });
  expect(redact("x 12345678-tail y")).toBe("x [B_TOKEN] y");
});
