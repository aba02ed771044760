export { world } from "../../src/cli/demo/worlds/ticket.ts";
