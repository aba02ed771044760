// What every driver owes the engine, for any test runner: `signalbox/testing`. Suites are left out of the build, except
// for what is named here.
export { type Behavior, type DriverSetup, driverSuite, playOnce, type SuiteOptions } from "./drivers/driver.suite.ts";
