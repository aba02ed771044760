import { cfee, crate, gopher, indebted, lacking, owing } from "./compiled.ts";
import { beside, cpp, headers, recipe, whole } from "./cpp.ts";
import { configured, gleaned, hitting, scripted } from "./cpp-halves.ts";
import { dotted, keyed, linted, walked } from "./data-halves.ts";
import { chained, folded, planned } from "./far-halves.ts";
import { embedded } from "./go.ts";
import { flaky, js, npm, plain, red, untested } from "./js.ts";
import {
  commanded,
  compared,
  delivered,
  generated,
  inward,
  listed,
  plugged,
  promised,
  relayed,
  ruled,
  shown,
  tooled,
  verified,
} from "./js-halves.ts";
import { aliased, packaged, vendored } from "./js-packages.ts";
import { contracted, paired, staged, tuned } from "./js-sittings.ts";
import { built, called, guided, mixed, named, placed, prepared, runner } from "./js-starts.ts";
import { benched, guarded, looped, routed, valued } from "./judges.ts";
import type { Project, ProjectName } from "./project.ts";
import { moduled, pytest, python, taxed } from "./python.ts";
import {
  counted,
  documented,
  foretold,
  gathered,
  inline,
  packed,
  registered,
  shared,
  tabled,
  told,
  trial,
} from "./python-halves.ts";

import { asserted, folder, nickname, typed } from "./replaced-judges.ts";
import {
  barren,
  covered,
  limited,
  mistyped,
  nested,
  seeded,
  silent,
  snapped,
  strict,
  unborn,
  warned,
  zoned,
} from "./settings.ts";

export const projects: Readonly<Record<ProjectName, Project>> = {
  ...{ js, npm, red, flaky, python, cpp, untested, plain },
  ...{ mixed, named, prepared, called, runner, guided, placed, built, whole, recipe, beside },
  ...{ packaged, vendored, aliased, headers, pytest, taxed, moduled },
  ...{ ruled, compared, commanded, plugged, generated, delivered, inward, relayed, listed, tooled, shown, verified },
  ...{ trial, registered, tabled, documented, gathered, told, inline, packed, counted, shared },
  ...{ chained, planned, folded },
  ...{ scripted, configured, gleaned, hitting, embedded },
  ...{ contracted, paired, tuned, staged },
  ...{ benched, routed, guarded, looped, valued },
  ...{ dotted, keyed, linted, walked },
  ...{ promised, foretold },
  ...{ folder, nickname, typed, asserted },
  ...{ strict, mistyped, covered, warned, zoned, seeded, limited, snapped, nested, unborn, barren, silent },
  ...{ crate, owing, gopher, indebted, cfee, lacking },
};
