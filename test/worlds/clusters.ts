export { world } from "../../src/cli/demo/worlds/clusters.ts";
