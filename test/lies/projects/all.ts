import { cpp } from "./cpp.ts";
import { flaky, js, npm, plain, red, untested } from "./js.ts";
import type { Project, ProjectName } from "./project.ts";
import { python } from "./python.ts";

export const projects: Readonly<Record<ProjectName, Project>> = { js, npm, red, flaky, python, cpp, untested, plain };
