// An agent's configuration: one validated schema over the environment.
import envSchema from 'env-schema'
import {
  patterns,
  readHosts,
  readKeyFile,
  readOrigins,
  readPort,
  readTokens,
  wordsFor,
} from './configuration-values.ts'
import type { CallerTokens } from './operations/index.ts'
import type { Settings } from './settings.ts'
import { defaultSettings } from './settings.ts'
import type { Synchronous } from './store/index.ts'

export interface Configuration {
  host: string
  port: number
  publicUrl: string | undefined
  /** Undefined if there is no gRPC. */
  grpcPort: number | undefined
  grpcPublicUrl: string | undefined
  dataDir: string
  logLevel: string
  logFormat: 'json' | 'pretty'
  synchronous: Synchronous
  /** The tokens of the callers by their names; undefined if everybody may call. */
  callerTokens: CallerTokens | undefined
  /** The private key that signs the cards. */
  signingKey: string | undefined
  settings: Settings
}

/** The longest that a timer can wait, in ms; no setting needs more. */
const longestTimer = 2 ** 31 - 1

const levels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']

/**
 * Reads the configuration from `env`. The ports are the agent's own defaults.
 * @throws Error that names the variable at fault
 */
export function readConfiguration(
  env: NodeJS.ProcessEnv,
  { port, grpcPort }: { port: number; grpcPort?: number | undefined },
): Configuration {
  const whole = (minimum: number, standard: number) => ({
    type: 'integer',
    minimum,
    maximum: longestTimer,
    default: standard,
  })
  const read = readEnvironment({
    data: env,
    env: false, // `env` is all there is: a variable of this process is none of an agent that is given others
    dotenv: false,
    schema: {
      type: 'object',
      properties: {
        HOST: { type: 'string', minLength: 1, default: '127.0.0.1' },
        PORT: { type: 'integer', minimum: 0, maximum: 65535, default: port },
        PUBLIC_URL: { type: 'string', pattern: patterns.PUBLIC_URL },
        GRPC_PORT: { type: 'string', pattern: patterns.GRPC_PORT, default: String(grpcPort ?? 'off') },
        GRPC_PUBLIC_URL: { type: 'string', pattern: patterns.GRPC_PUBLIC_URL },
        DATA_DIR: { type: 'string', minLength: 1, default: 'data' },
        LOG_LEVEL: { type: 'string', enum: levels, default: 'info' },
        LOG_FORMAT: { type: 'string', enum: ['json', 'pretty'], default: 'json' },
        CALLER_TOKENS: { type: 'string', pattern: patterns.CALLER_TOKENS },
        SIGNING_KEY_FILE: { type: 'string', minLength: 1 },
        SQLITE_SYNCHRONOUS: { type: 'string', enum: ['NORMAL', 'FULL'], default: 'NORMAL' },
        INPUT_TTL: whole(1, defaultSettings.inputTtl),
        APPROVAL_TTL: whole(1, defaultSettings.approvalTtl),
        MAX_TURNS: whole(1, defaultSettings.maxTurns),
        STREAM_ARTIFACTS: { type: 'boolean', default: defaultSettings.streamArtifacts },
        HEARTBEAT_MS: whole(100, defaultSettings.heartbeat),
        CORS_ORIGINS: { type: 'string', pattern: patterns.CORS_ORIGINS },
        PUSH_ALLOWED_HOSTS: { type: 'string', default: '' },
        PUSH_TIMEOUT_MS: whole(100, defaultSettings.pushTimeout),
        PUSH_ATTEMPTS: whole(1, defaultSettings.pushAttempts),
        PUSH_FIRST_DELAY_MS: whole(1, defaultSettings.pushFirstDelay),
        PUSH_LONGEST_DELAY_MS: whole(1, defaultSettings.pushLongestDelay),
        MAX_BODY_BYTES: whole(1024, defaultSettings.maxBody),
      },
    },
  })
  return {
    host: read.HOST!,
    port: read.PORT!,
    publicUrl: read.PUBLIC_URL,
    grpcPort: read.GRPC_PORT === 'off' ? undefined : readPort(read.GRPC_PORT!),
    grpcPublicUrl: read.GRPC_PUBLIC_URL,
    dataDir: read.DATA_DIR!,
    logLevel: read.LOG_LEVEL!,
    logFormat: read.LOG_FORMAT!,
    synchronous: read.SQLITE_SYNCHRONOUS!,
    signingKey: read.SIGNING_KEY_FILE === undefined ? undefined : readKeyFile(read.SIGNING_KEY_FILE),
    callerTokens: read.CALLER_TOKENS === undefined ? undefined : readTokens(read.CALLER_TOKENS),
    settings: {
      ...defaultSettings,
      inputTtl: read.INPUT_TTL!,
      approvalTtl: read.APPROVAL_TTL!,
      maxTurns: read.MAX_TURNS!,
      streamArtifacts: read.STREAM_ARTIFACTS!,
      heartbeat: read.HEARTBEAT_MS!,
      corsOrigins: readOrigins(read.CORS_ORIGINS),
      maxBody: read.MAX_BODY_BYTES!,
      pushAllowedHosts: readHosts(read.PUSH_ALLOWED_HOSTS!),
      pushTimeout: read.PUSH_TIMEOUT_MS!,
      pushAttempts: read.PUSH_ATTEMPTS!,
      pushFirstDelay: read.PUSH_FIRST_DELAY_MS!,
      pushLongestDelay: read.PUSH_LONGEST_DELAY_MS!,
    },
  }
}

/** @throws Error in words, where a value has not the form that it needs */
function readEnvironment(options: Parameters<typeof envSchema>[0]): Record<string, never> {
  try {
    return envSchema<Record<string, never>>(options)
  } catch (error) {
    throw new Error(wordsFor((error as Error).message))
  }
}
