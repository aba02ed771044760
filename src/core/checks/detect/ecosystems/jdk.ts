import type { InstallWays } from "../../cure/install-ways.ts";

/** A JDK that compiles, not only a runtime. */
export const JDK: InstallWays = ["apt install default-jdk", "https://adoptium.net/installation"];
