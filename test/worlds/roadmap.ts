export { world } from "../../src/cli/demo/worlds/roadmap.ts";
