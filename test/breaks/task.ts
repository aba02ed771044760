import type { Mutants } from "./break.ts";

const AT = "src/pipelines/task";

export const mutants: Mutants = {
  "K-01": { file: `${AT}/rules.ts`, from: "passed: changed.length > 0,", to: "passed: true," },
  "K-02": { file: `${AT}/rules.ts`, from: "red.length === 0 && tamper.length === 0", to: "tamper.length === 0" },
  "K-03": {
    file: `${AT}/rules.ts`,
    from: 'verdict === "approve" && findings.every(({ severity }) => severity === "minor")',
    to: 'verdict === "approve"',
  },
  "K-04": { file: `${AT}/index.ts`, from: "const ROUNDS = 3;", to: "const ROUNDS = 4;" },
  "K-05": { file: `${AT}/develop.ts`, from: "answers.push({ question, answer: note });", to: "" },
};
