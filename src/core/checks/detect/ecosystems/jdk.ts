import type { InstallWays } from "../../cure/install-ways.ts";

/** One that compiles, not only one that runs. */
export const JDK: InstallWays = ["apt install default-jdk", "https://adoptium.net/installation"];
