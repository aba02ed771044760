import { beside, cpp, headers, recipe, whole } from "./cpp.ts";
import { flaky, js, npm, plain, red, untested } from "./js.ts";
import { aliased, packaged, vendored } from "./js-packages.ts";
import { built, called, guided, mixed, named, placed, prepared, runner } from "./js-starts.ts";
import type { Project, ProjectName } from "./project.ts";
import { moduled, pytest, python } from "./python.ts";

export const projects: Readonly<Record<ProjectName, Project>> = {
  ...{ js, npm, red, flaky, python, cpp, untested, plain },
  ...{ mixed, named, prepared, called, runner, guided, placed, built, whole, recipe, beside },
  ...{ packaged, vendored, aliased, headers, pytest, moduled },
};
