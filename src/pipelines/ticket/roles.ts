import { defineRole } from "../../core/role.ts";
import { Developed, Done, Interpretation, Reviewed } from "./contracts.ts";

export const interpreter = defineRole({
  name: "Interpreter",
  does: "Turns an unclear request into a clear one: type, name, criteria, and the questions that are left.",
  contract: Interpretation,
});

export const initializer = defineRole({
  name: "Initializer",
  does: "Brings the architecture, style and findings documents up to date with the code.",
  contract: Done,
  writes: true,
});

export const planner = defineRole({
  name: "Planner",
  does: "Finds out everything the work needs and writes plan.md and tasks.yaml, leaving nothing to look up later.",
  contract: Done,
  writes: true,
});

export const splitter = defineRole({
  name: "Splitter",
  does: "Cuts a finished plan into the fewest tasks that do not share files, as tasks.yaml.",
  contract: Done,
  writes: true,
});

export const developer = defineRole({
  name: "Developer",
  does: "Implements one task exactly as it is written, in its own files and tests.",
  contract: Developed,
  writes: true,
});

export const reviewer = defineRole({
  name: "Reviewer",
  does: "Checks one task, or the whole iteration, against its success criteria and accepts or rejects it.",
  contract: Reviewed,
});
