// Public entry `signalbox/testing`: the driver suite, for any test runner. Suites are excluded from the build except
// for the exports here.
export { type Behavior, type DriverSetup, driverSuite, playOnce, type SuiteOptions } from "./drivers/driver.suite.ts";
