// The task core: define an agent, start it.

export { type Configuration, readConfiguration } from './configuration/index.ts'
export * from './define-agent.ts'
export { makeFolder } from './make-folder.ts'
export type { Artifact, Content, Json, Message, Part, Struct, Task } from './protocol/index.ts'
export { dataOf, partsOf, retryAtOf, textOf } from './protocol/index.ts'
export { type AgentOptions, type RunningAgent, startAgent } from './runtime.ts'
export { serve } from './serve.ts'
export { defaultSettings, type Settings } from './settings.ts'
export { type AuditEntry, isInUse, openAudit } from './store/index.ts'
export { createLog, type LogOptions } from './telemetry/log.ts'
export { realWorld, type World } from './world.ts'
