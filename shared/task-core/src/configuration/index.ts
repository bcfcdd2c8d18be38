// An agent's configuration: one validated schema over the environment, put together from its parts.
import envSchema from 'env-schema'
import { defaultSettings, type Settings } from '../settings.ts'
import { callerLimits } from './caller-limits.ts'
import { type Callers, callers } from './callers.ts'
import { limits } from './limits.ts'
import { type DefaultPorts, type Listening, listening, serving } from './listening.ts'
import { checkApart, type Operators, operators } from './operators.ts'
import type { Values } from './part.ts'
import { push } from './push.ts'
import { retention } from './retention.ts'
import { type Running, running, tasks } from './running.ts'
import { type TelemetryConfiguration, telemetry } from './telemetry.ts'
import { type Encryption, encryption } from './tls.ts'
import { wordsFor } from './values.ts'

export interface Configuration
  extends Listening,
    Running,
    Callers,
    Operators,
    Encryption,
    TelemetryConfiguration {
  settings: Settings
}

/** Made once: the library keeps what it compiles for each schema that it is given, for ever. */
const schema = {
  type: 'object',
  properties: Object.assign(
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
  ),
}

/**
 * Reads the configuration from `env`. The ports are the agent's own defaults.
 * @throws Error that names the variable at fault
 */
export function readConfiguration(env: NodeJS.ProcessEnv, ports: DefaultPorts): Configuration {
  const values = readEnvironment(env)
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

/** @throws Error in words, where a value has not the form that it needs */
function readEnvironment(env: NodeJS.ProcessEnv): Values {
  try {
    return envSchema<Values>({
      data: env,
      env: false, // `env` is all there is: a variable of this process is none of an agent that is given others
      dotenv: false,
      schema,
    })
  } catch (error) {
    throw new Error(wordsFor((error as Error).message))
  }
}
