// Public entry `signalbox/driver`: everything needed to write a driver.
export type { Failure } from "./core/failure/failure.ts";
export type { Usage } from "./core/journal/effect.ts";
export type { AgentEvent, Capabilities, DispatchOrder, Driver } from "./core/ports/driver.ts";
export type {
  ProcessExit,
  Processes,
  ProcessLimits,
  ProcessOrder,
  RunningProcess,
  StopReason,
} from "./core/ports/processes.ts";
export {
  type DefinitionFolder,
  type DriverDescriptor,
  type DriverLogin,
  type DriverParts,
  defineDriver,
  type HeldLogin,
  type User,
} from "./drivers/descriptor.ts";
export { type EnvironmentOptions, environmentOf } from "./drivers/environment.ts";
export { linkLogin } from "./drivers/login.ts";
export { canceledBeforeStart, failureOfExit, incomplete, notStarted } from "./drivers/outcome.ts";
export { knownFailure, reportedFailure } from "./drivers/reported-failure.ts";
export {
  type Adoption,
  adoptTurn,
  type Program,
  type Reader,
  runTurn,
  sessionOfTurn,
  type Turn,
} from "./drivers/turn.ts";
