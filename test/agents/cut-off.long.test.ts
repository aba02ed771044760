import { cutOffSuite } from "./cut-off.suite.ts";

cutOffSuite(["codex", "goose"]);
