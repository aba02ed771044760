export type { RealWorld } from "../../src/cli/demo/world.ts";
