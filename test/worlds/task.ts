export { world } from "../../src/cli/demo/worlds/task.ts";
