// An agent's configuration: one validated schema over the environment, put together from its parts.
import { defaultSettings, type Settings } from '../settings.ts'
import { callerLimits } from './caller-limits.ts'
import { type Callers, callers } from './callers.ts'
import { readEnvironment } from './environment.ts'
import { limits } from './limits.ts'
import { type DefaultPorts, type Listening, listening, serving } from './listening.ts'
import { checkApart, type Operators, operators } from './operators.ts'
import type { Schema } from './part.ts'
import { push } from './push.ts'
import { retention } from './retention.ts'
import { type Running, running, tasks } from './running.ts'
import { type TelemetryConfiguration, telemetry } from './telemetry.ts'
import { type Encryption, encryption } from './tls.ts'

export interface Configuration
  extends Listening,
    Running,
    Callers,
    Operators,
    Encryption,
    TelemetryConfiguration {
  settings: Settings
}

const properties: Record<string, Schema> = Object.assign(
  {},
  ...[
    listening,
    encryption,
    running,
    callers,
    operators,
    telemetry,
    serving,
    tasks,
    push,
    limits,
    callerLimits,
    retention,
  ].map(({ properties }) => properties),
)

/**
 * Reads the configuration from `env`. The ports are the agent's own defaults.
 * @throws Error that names the variable at fault
 */
export function readConfiguration(env: NodeJS.ProcessEnv, ports: DefaultPorts): Configuration {
  const values = readEnvironment(env, properties)
  const known = { ...callers.read(values), ...operators.read(values), ...telemetry.read(values) }
  checkApart(known, known, known)
  return {
    ...listening.read(values, ports),
    ...encryption.read(values),
    ...running.read(values),
    ...known,
    settings: {
      ...defaultSettings,
      ...serving.read(values),
      ...tasks.read(values),
      ...push.read(values),
      ...limits.read(values),
      ...callerLimits.read(values),
      ...retention.read(values),
    },
  }
}
