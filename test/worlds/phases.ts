export { world } from "../../src/cli/demo/worlds/phases.ts";
